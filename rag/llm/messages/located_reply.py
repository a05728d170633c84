"""One streamed answer of the Messages API, as `rag.llm.protocol` promises it."""

from collections.abc import Callable, Generator
from contextlib import closing
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from rag.errors import LLMRejected, LLMUnavailable
from rag.llm.failures import translated
from rag.llm.provider import Provider
from rag.llm.spending.meter import note_usage
from rag.types import Located, Tokens

if TYPE_CHECKING:
    from anthropic import Stream
    from anthropic.types import RawMessageStreamEvent


class LocatedReply:
    """Implements `rag.llm.protocol.LocatingReply`; `send` makes the request and returns the SDK's raw events.

    `timeout` is that of each wait in seconds; `hurried`: see `rag.llm.provider.Provider.request`. What was used counts
    for `model`, however the reply ends.
    """

    def __init__(
        self,
        send: "Callable[[], Stream[RawMessageStreamEvent]]",
        *,
        model: str,
        provider: Provider,
        timeout: float,
        hurried: bool = False,
    ) -> None:
        self._send = send
        self._model = model
        self._provider = provider
        self._timeout = timeout
        self._hurried = hurried
        self._stop_reason: str | None = None
        self.usage = Tokens()

    @property
    def truncated(self) -> bool:
        return self._stop_reason in ("max_tokens", "model_context_window_exceeded")

    def __iter__(self) -> Generator[str | Located, None, None]:
        written = False
        with self._provider.request(timeout=self._timeout, hurried=self._hurried):
            try:
                for piece in self._pieces():
                    written = written or (isinstance(piece, str) and bool(piece.strip()))
                    yield piece
            except Exception as error:
                raise translated(error) from error
            finally:
                note_usage(self._model, self.usage)
            if self._stop_reason is None:
                raise LLMUnavailable(_("The language model's answer broke off."))
        if self._stop_reason == "refusal":
            raise LLMRejected(_("The language model declined to answer."), remedy=_("Put the question differently."))
        if not written:
            raise LLMUnavailable(_("The language model answered without text."))

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
                    self._stop_reason = event.delta.stop_reason or self._stop_reason
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
