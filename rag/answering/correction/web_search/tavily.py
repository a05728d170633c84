"""Tavily, a search engine for programs. https://docs.tavily.com/documentation/api-reference/endpoint/search"""

from django.core.exceptions import ImproperlyConfigured

from rag.answering.correction.web_search.endpoint import ask
from rag.answering.correction.web_search.protocol import WebResult
from rag.answering.correction.web_search.results import results_of
from rag.types import Tokens

_LONGEST = 400  # characters of a query; longer ones are an error there


class TavilySearch:
    """`depth` is `basic` or, at twice the price, `advanced`. The key goes out as a bearer token and nowhere else."""

    def __init__(self, *, api_key: str, url: str = "https://api.tavily.com", depth: str = "basic") -> None:
        if not api_key:
            raise ImproperlyConfigured("The web search tavily needs TAVILY_API_KEY.")
        self._headers = {"Authorization": f"Bearer {api_key}"}
        self._url, self._depth = f"{url.rstrip('/')}/search", depth

    def search(self, query: str, *, language: str, limit: int, seconds: float) -> tuple[list[WebResult], Tokens]:
        """As WebSearch.search promises. Tavily takes no language: it goes by that of the query."""
        body = {"query": query[:_LONGEST], "max_results": limit, "search_depth": self._depth}
        reply = ask("POST", self._url, seconds=seconds, headers=self._headers, body=body)
        return results_of(reply, limit=limit), Tokens()
