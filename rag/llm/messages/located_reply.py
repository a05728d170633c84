"""One streamed answer of the Messages API."""

from collections.abc import Callable, Generator
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

from rag.errors import CitationsUnsupported
from rag.llm.provider import Provider
from rag.llm.reply import Ending, StreamedReply
from rag.types import Located, Tokens

if TYPE_CHECKING:
    from anthropic import Stream
    from anthropic.types import RawMessageStreamEvent

_ENDINGS: Final[dict[str, Ending]] = {
    "max_tokens": "limit",
    "model_context_window_exceeded": "limit",
    "refusal": "refusal",
}


class LocatedReply(StreamedReply[str | Located]):
    """Implements `rag.llm.protocol.LocatingReply`; `send` makes the request and returns the SDK's raw events.

    `refused` is called where the server knows no search results, so that it is not asked for citations again. For the
    rest see `rag.llm.reply.StreamedReply`.
    """

    def __init__(
        self,
        send: "Callable[[], Stream[RawMessageStreamEvent]]",
        *,
        model: str,
        provider: Provider,
        timeout: float,
        hurried: bool = False,
        refused: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(model=model, provider=provider, timeout=timeout, hurried=hurried)
        self._send = send
        self._refused = refused

    def __iter__(self) -> Generator[str | Located, None, None]:
        try:
            yield from super().__iter__()
        except CitationsUnsupported:
            self._refused()
            raise

    def _pieces(self) -> Generator[str | Located, None, None]:
        """Citations after the text block that they belong to: servers differ in which of the two they send first."""
        quotes: list[Located] = []
        with self._send() as events:
            for event in events:
                if event.type == "message_start":
                    self._count(event.message.usage)
                elif event.type == "content_block_delta" and event.delta.type == "text_delta":
                    yield event.delta.text
                elif event.type == "content_block_delta" and event.delta.type == "citations_delta":
                    quotes += _located(event.delta.citation)
                elif event.type == "content_block_stop":
                    yield from quotes
                    quotes.clear()
                elif event.type == "message_delta":
                    if reason := event.delta.stop_reason:
                        self._ending = _ENDINGS.get(reason, "end")
                    self._count(event.usage)

    def _count(self, usage: Any) -> None:
        self.usage = counted(usage, self.usage)


class TextReply(LocatedReply):
    """Implements `rag.llm.protocol.Reply`: the same without citations."""

    def __iter__(self) -> Generator[str, None, None]:
        with closing(super().__iter__()) as pieces:
            for piece in pieces:
                if isinstance(piece, str):
                    yield piece


def counted(usage: Any, before: Tokens) -> Tokens:
    """Counts are cumulative, and a later event repeats those that it knows. Cached input is input as well."""
    read, written, plain = (
        getattr(usage, name, None)
        for name in ("cache_read_input_tokens", "cache_creation_input_tokens", "input_tokens")
    )
    output = getattr(usage, "output_tokens", None) or before.output
    if plain is None:
        return Tokens(input=before.input, output=output, cache_read=before.cache_read, cache_write=before.cache_write)
    cached = {"cache_read": read or 0, "cache_write": written or 0}
    return Tokens(input=plain + sum(cached.values()), output=output, **cached)


def _located(citation: Any) -> list[Located]:
    if citation.type != "search_result_location":
        return []
    return [
        Located(
            source=citation.search_result_index,
            first=citation.start_block_index,
            last=citation.end_block_index,
            quoted=citation.cited_text,
        )
    ]
