"""SearXNG, a search engine of one's own. https://docs.searxng.org/dev/search_api.html"""

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext as _

from rag.answering.correction.web_search.endpoint import ask
from rag.answering.correction.web_search.errors import WebSearchRejected
from rag.answering.correction.web_search.protocol import WebResult
from rag.answering.correction.web_search.results import results_of
from rag.types import Tokens


class SearXNGSearch:
    """`url` is the address of the instance, which may well stand in the intranet: an administrator gives it.

    `categories` and `engines` are those of the instance, comma-separated; "" means its defaults.
    """

    def __init__(self, *, url: str, categories: str = "", engines: str = "", safesearch: int = 1) -> None:
        if not url.startswith(("http://", "https://")):
            raise ImproperlyConfigured("The web search searxng needs SEARXNG_URL, such as http://searxng:8080.")
        self._url = f"{url.rstrip('/')}/search"
        wanted = {"categories": categories, "engines": engines, "safesearch": str(safesearch)}
        self._params = {name: value for name, value in wanted.items() if value}

    def search(self, query: str, *, language: str, limit: int, seconds: float) -> tuple[list[WebResult], Tokens]:
        params = {**self._params, "q": query, "language": language, "format": "json"}
        try:
            reply = ask("GET", self._url, seconds=seconds, params=params)
        except WebSearchRejected as error:
            raise WebSearchRejected(
                error.message,
                remedy=_(
                    "The administrator should check SEARXNG_URL and that search.formats in its settings has json."
                ),
            ) from error
        return results_of(reply, limit=limit), Tokens()
