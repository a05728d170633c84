"""The web-search tool of Anthropic's API: the provider searches, we read the pages."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext as _

from rag.answering.correction.web_search.errors import WebSearchFailed, WebSearchRejected
from rag.answering.correction.web_search.protocol import WebResult
from rag.answering.correction.web_search.results import distinct
from rag.errors import LLMError
from rag.llm import api_client
from rag.llm.configuration import llm_settings
from rag.llm.protocol import LanguageModel
from rag.llm.spending.budgets import affordable
from rag.types import Tokens

if TYPE_CHECKING:
    from rag.llm.messages.messages_model import MessagesModel


class AnthropicSearch:
    """`llm` is that of the step `tools` unless given: a client cannot stand in the options of a component.

    With `allowed_domains` nothing is found elsewhere.
    """

    def __init__(self, *, llm: "MessagesModel | None" = None, allowed_domains: Sequence[str] = ()) -> None:
        from rag.llm.messages.messages_model import MessagesModel
        from rag.llm.messages.web_search import AnthropicWebSearch

        chosen = llm or _model_of_tools()
        if not isinstance(chosen, MessagesModel):
            raise ImproperlyConfigured("The web search anthropic needs a model of the Messages API for the step tools.")
        self._tool = AnthropicWebSearch(chosen, allowed_domains=allowed_domains)

    def search(self, query: str, *, language: str, limit: int, seconds: float) -> tuple[list[WebResult], Tokens]:
        try:
            pages, usage = self._tool.search(query, limit=limit, timeout=seconds, language=language)
        except LLMError as error:
            failure = WebSearchFailed if error.retryable else WebSearchRejected
            raise failure(error.message, remedy=error.remedy) from error
        return distinct((WebResult(url=p.url, title=p.title, text=p.text) for p in pages), limit=limit), usage


def _model_of_tools() -> LanguageModel | None:
    """Raises WebSearchRejected where there is one and this month's budget does not allow to ask it."""
    settings = llm_settings()
    if affordable(settings) != settings:
        raise WebSearchRejected(_("This month's budget for language models is used up."))
    own = settings.for_step("tools")
    return api_client(own) if own.configured else None
