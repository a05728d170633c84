"""A search of the web by the provider: Anthropic's server tool, used once."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rag.errors import LLMUnavailable
from rag.llm.messages.caching import kept
from rag.llm.messages.located_reply import counted
from rag.llm.messages.messages_model import MessagesModel
from rag.llm.prompts import render
from rag.llm.prompts.untrusted import neutralise
from rag.types import Tokens

if TYPE_CHECKING:
    from anthropic import types as api

TOOL = "web_search_20250305"
"""Later versions filter results by code that the model writes; this one lists all that was found."""

_MAX_TOKENS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPage:
    """`text` is what the model quoted of the page, "" where it quoted nothing: the page itself has to be fetched."""

    url: str
    title: str
    text: str = ""


class AnthropicWebSearch:
    """Pages for a query. `allowed_domains`: nothing is found elsewhere; none: anywhere."""

    def __init__(self, llm: MessagesModel, *, allowed_domains: Sequence[str] = ()) -> None:
        self._llm = llm
        self._tool: dict[str, Any] = {"type": TOOL, "name": "web_search", "max_uses": 1}
        if allowed_domains:
            self._tool["allowed_domains"] = list(allowed_domains)

    def search(
        self, query: str, *, limit: int, timeout: float, language: str = "pl"
    ) -> tuple[tuple[FoundPage, ...], Tokens]:
        """At most `limit` pages, best first, each once, and what they cost.

        `timeout` is in seconds and bounds the whole call. Raises LLMError where the model or its search fails.
        """
        request = {
            "system": kept(render("web_search", language)),
            "messages": [{"role": "user", "content": render("question", language, question=neutralise(query))}],
            "max_tokens": _MAX_TOKENS,
            "tools": [self._tool],
        }
        pages, failure, usage = self._llm.whole(request, read=_found, timeout=timeout)
        if failure and not pages:
            raise LLMUnavailable(_("The language model's web search failed (%(code)s).") % {"code": failure})
        return pages[:limit], usage


def _found(reply: "api.Message") -> tuple[tuple[FoundPage, ...], str, Tokens]:
    """The pages, the code of the search's failure or "", and what was used."""
    quotes = _quotes(reply)
    pages: dict[str, FoundPage] = {}
    failure = ""
    for block in reply.content:
        if block.type == "web_search_tool_result" and isinstance(block.content, list):
            for page in block.content:
                text = " ".join(quotes.get(page.url, ()))
                pages.setdefault(page.url, FoundPage(url=page.url, title=page.title or "", text=text))
        elif block.type == "web_search_tool_result":
            failure = getattr(block.content, "error_code", "") or "unavailable"
    return tuple(pages.values()), failure, counted(reply.usage, Tokens())


def _quotes(reply: "api.Message") -> dict[str, list[str]]:
    """What was quoted of each page, in order, each quote once."""
    quotes: dict[str, list[str]] = {}
    for block in reply.content:
        for citation in (block.citations or ()) if block.type == "text" else ():
            if citation.type == "web_search_result_location":
                known = quotes.setdefault(citation.url, [])
                known += [] if citation.cited_text in known else [citation.cited_text]
    return quotes
