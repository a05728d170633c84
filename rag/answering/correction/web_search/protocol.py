"""What a web search promises. One is declared in `settings.RAG["components"]["web_search"]`, or by dotted path."""

from dataclasses import dataclass
from datetime import date
from typing import Protocol

from rag.types import Tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class WebResult:
    """A page that a search engine names: an http or https `url`, `text` the part that it shows, plain."""

    url: str
    title: str
    text: str = ""
    published: date | None = None


class WebSearch(Protocol):
    """Asks a search engine. One instance serves all threads."""

    def search(self, query: str, *, language: str, limit: int, seconds: float) -> tuple[list[WebResult], Tokens]:
        """At most `limit` pages, best first, no url twice; empty where nothing is known. `language`: "pl" or "en".

        The tokens are those of a language model that was asked. Raises WebSearchFailed, or WebSearchRejected where
        waiting does not help, within about `seconds`.
        """
