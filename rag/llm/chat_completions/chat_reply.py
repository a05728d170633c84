"""One streamed answer of the Chat Completions API."""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

from rag.llm.chat_completions.thinking import without_thinking
from rag.llm.provider import Provider
from rag.llm.reply import Ending, StreamedReply
from rag.types import Tokens

if TYPE_CHECKING:
    from openai import Stream
    from openai.types.chat import ChatCompletion, ChatCompletionChunk

_ENDINGS: Final[dict[str, Ending]] = {"length": "limit", "content_filter": "refusal"}


class ChatReply(StreamedReply[str]):
    """Implements `rag.llm.protocol.Reply`; `send` makes the request and returns the SDK's chunks, or the whole answer
    of a server that does not stream. For the rest see `rag.llm.reply.StreamedReply`.
    """

    def __init__(
        self,
        send: "Callable[[], Stream[ChatCompletionChunk] | ChatCompletion]",
        *,
        model: str,
        provider: Provider,
        timeout: float,
        hurried: bool = False,
    ) -> None:
        super().__init__(model=model, provider=provider, timeout=timeout, hurried=hurried)
        self._send = send

    def _pieces(self) -> Generator[str, None, None]:
        reply: Any = self._send()
        with closing(self._whole(reply) if hasattr(reply, "choices") else self._streamed(reply)) as pieces:
            yield from without_thinking(pieces)

    def _streamed(self, stream: "Stream[ChatCompletionChunk]") -> Generator[str, None, None]:
        with stream:
            for chunk in stream:
                self.usage = counted(chunk.usage) or self.usage
                yield from (text for choice in _first(chunk) if (text := self._read(choice, choice.delta)))

    def _whole(self, reply: "ChatCompletion") -> Generator[str, None, None]:
        self.usage = counted(reply.usage) or self.usage
        yield from (text for choice in _first(reply) if (text := self._read(choice, choice.message)))

    def _read(self, choice: Any, said: Any) -> str:
        """The text of a part of the answer, whose end is noted."""
        if choice.finish_reason:
            self._ending = _ENDINGS.get(choice.finish_reason, "end")
        if getattr(said, "refusal", None):
            self._ending = "refusal"
        return (said.content or "") if said else ""


def counted(usage: Any) -> Tokens | None:
    """Tokens of an answer; None where the server does not say. Input that it had in its cache is input as well."""
    if usage is None:
        return None
    details = getattr(usage, "prompt_tokens_details", None)
    cached = getattr(details, "cached_tokens", None) or 0
    return Tokens(input=usage.prompt_tokens or 0, output=usage.completion_tokens or 0, cache_read=cached)


def _first(part: Any) -> Iterator[Any]:
    """The only choice of a part that has one: the last part has the count of tokens alone."""
    yield from (part.choices or ())[:1]
