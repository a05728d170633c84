"""The web search as the settings want it."""

from collections.abc import Callable

from django.core.exceptions import ImproperlyConfigured

from knowledgetree.components import component
from knowledgetree.conf import rag_settings
from knowledgetree.fetching import web_fetcher
from rag.answering.correction.web_search.errors import WebSearchRejected
from rag.answering.correction.web_search.protocol import WebSearch
from rag.answering.correction.web_search.reading import search_and_read
from rag.search.masking import searchable_elsewhere
from rag.types import Passage, Tokens

PASSAGES = 8
"""So many at most: a page has one or two that matter."""

WebPassages = Callable[[str, str], tuple[list[Passage], Tokens]]
"""(question, language) -> passages of the web, best first, and the tokens used. Raises WebSearchFailed."""


def web_passages() -> WebPassages | None:
    """None where the settings name no web search. One that lacks its key or address fails when it is called.

    What models are not told (`LLMSettings.mask_personal_data`) is not looked up either.
    """
    settings, masks = rag_settings().correction, rag_settings().llm.mask_personal_data
    if settings.web_search == "none":
        return None

    def passages(question: str, language: str) -> tuple[list[Passage], Tokens]:
        asked = searchable_elsewhere(question) if masks else question
        if not asked:
            return [], Tokens()
        return search_and_read(
            asked,
            language=language,
            search=_search(settings.web_search),
            fetcher=web_fetcher(),
            results=settings.web_results,
            passages=PASSAGES,
            seconds=settings.web_seconds,
        )

    return passages


def _search(name: str) -> WebSearch:
    try:
        engine: WebSearch = component("web_search", name)
    except ImproperlyConfigured as error:
        raise WebSearchRejected(str(error)) from error
    return engine
