"""No web search: nothing leaves the building."""

from rag.answering.correction.web_search.protocol import WebResult
from rag.types import Tokens


class NoWebSearch:
    def search(self, query: str, *, language: str, limit: int, seconds: float) -> tuple[list[WebResult], Tokens]:
        return [], Tokens()
