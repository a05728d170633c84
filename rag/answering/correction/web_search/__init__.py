"""The web as a last resort: asked only where an administrator and the assistant allow it, cited as the web."""

from rag.answering.correction.web_search.configured import web_passages
from rag.answering.correction.web_search.errors import WebSearchFailed, WebSearchRejected
from rag.answering.correction.web_search.protocol import WebResult, WebSearch
from rag.answering.correction.web_search.reading import search_and_read

__all__ = ["WebResult", "WebSearch", "WebSearchFailed", "WebSearchRejected", "search_and_read", "web_passages"]
