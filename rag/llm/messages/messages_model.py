"""Claude, or any server with its Messages API (Ollama, LiteLLM, vLLM), through the `anthropic` SDK."""

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel

from rag.errors import CitationsUnsupported
from rag.llm.deadline import within
from rag.llm.failures import no_second_wait, translated
from rag.llm.messages.caching import kept, kept_if_long, kept_up_to_here
from rag.llm.messages.located_reply import LocatedReply, TextReply, counted
from rag.llm.messages.tool_use import messages_as_sent, tools_as_sent, turn_of
from rag.llm.provider import Provider, provider
from rag.llm.spending.meter import note_usage
from rag.llm.structured import StructuredCall
from rag.types import Located, Message, ModelTurn, QuotableSource, Tokens, ToolSpec

if TYPE_CHECKING:
    from anthropic import Stream, types
    from anthropic.types import RawMessageStreamEvent

R = TypeVar("R")
T = TypeVar("T", bound=BaseModel)

DEFAULT_BASE_URL = "https://api.anthropic.com"
CONNECT_SECONDS = 10.0
"""A server that takes longer to accept a connection is not there."""


class MessagesModel:
    """Implements `rag.llm.protocol.LanguageModel`. Thread-safe; each reply counts its own tokens.

    `timeout` is in seconds and bounds every wait for the next piece, not the whole reply. `max_retries` (with growing
    pauses and jitter, by the SDK) applies before the first piece only, and not to what was late. `locates`: whether
    quotes are located by the server; it becomes False when the server refuses to. `shared` is what all clients of this
    server have in common; by default the one of the process.
    """

    def __init__(
        self,
        *,
        api_key: str,
        model: str,
        base_url: str = "",
        timeout: float = 60.0,
        max_retries: int = 2,
        locates: bool = True,
        shared: Provider | None = None,
    ) -> None:
        from anthropic import Anthropic, Timeout

        self.name = model
        self.locates = locates
        self._enforces_schemas = True  # until the server rejects one
        self._timeout = timeout
        address = base_url or DEFAULT_BASE_URL
        self._provider = shared or provider(address)
        # Always explicit, or the SDK would read ANTHROPIC_BASE_URL behind the settings' back.
        self._client = Anthropic(
            api_key=api_key,
            base_url=address,
            timeout=Timeout(timeout, connect=min(timeout, CONNECT_SECONDS)),
            max_retries=max_retries,
            middleware=[no_second_wait],
        )

    def stream(self, *, system: str, prompt: str, max_tokens: int) -> TextReply:
        """See `rag.llm.protocol.LanguageModel.stream`."""
        send = self._sending(system=kept(system), content=prompt, max_tokens=max_tokens)
        return TextReply(send, model=self.name, provider=self._provider, timeout=self._timeout)

    def cite(
        self, *, system: str, sources: Sequence[QuotableSource], prompt: str, max_tokens: int
    ) -> "LocatingMessagesReply":
        """See `rag.llm.protocol.LanguageModel.cite`."""
        content = [*map(_search_result, range(1, len(sources) + 1), sources), {"type": "text", "text": prompt}]
        send = self._sending(system=kept(system), content=content, max_tokens=max_tokens)
        return LocatingMessagesReply(
            send, model=self.name, provider=self._provider, timeout=self._timeout, refused=self._locate_no_more
        )

    def structured(
        self, *, system: str, prompt: str, schema: type[T], max_tokens: int, timeout: float
    ) -> tuple[T, Tokens]:
        """See `rag.llm.protocol.LanguageModel.structured`. `max_retries` plays no part: there is one second attempt."""

        def send(
            system: str, turns: Sequence[Mapping[str, str]], schema: Mapping[str, Any] | None, timeout: float
        ) -> TextReply:
            client = self._client.with_options(timeout=timeout, max_retries=0)
            form: Any = {"output_config": {"format": {"type": "json_schema", "schema": schema}}} if schema else {}
            rules: Any = kept_if_long(system)
            messages: Any = list(turns)
            return TextReply(
                lambda: client.messages.create(
                    model=self.name, system=rules, messages=messages, max_tokens=max_tokens, stream=True, **form
                ),
                model=self.name,
                provider=self._provider,
                timeout=timeout,
                hurried=timeout < self._timeout,
            )

        call = StructuredCall(send, system=system, prompt=prompt, schema=schema, enforced=self._enforces_schemas)
        found = within(timeout, call.run)
        self._enforces_schemas = call.enforced
        return found

    def converse(
        self,
        *,
        system: str,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec],
        max_tokens: int,
        timeout: float,
        may_call: bool = True,
    ) -> ModelTurn:
        """See `rag.llm.protocol.LanguageModel.converse`."""
        said = kept_up_to_here(messages_as_sent(messages))
        offered = tools_as_sent(tools, may_call=may_call)
        request = {"system": kept(system), "messages": said, "max_tokens": max_tokens, **offered}
        return self.whole(request, read=turn_of, timeout=timeout)

    def whole(self, request: Mapping[str, Any], *, read: "Callable[[types.Message], R]", timeout: float) -> R:
        """What `read` makes of a reply that comes in one piece; `request` as the API has it, without the model.

        `timeout` is in seconds and bounds the whole call. Raises LLMError, also where `read` raises.
        """

        def ask(deadline: float) -> R:
            left = deadline - time.monotonic()
            client = self._client.with_options(timeout=left, max_retries=1)
            with self._provider.request(timeout=left, hurried=timeout < self._timeout):
                try:
                    message = client.messages.create(model=self.name, **request)
                    note_usage(self.name, counted(message.usage, Tokens()))
                    return read(message)
                except Exception as error:
                    raise translated(error) from error

        return within(timeout, ask)

    def _sending(self, *, system: Any, content: Any, max_tokens: int) -> "Callable[[], Stream[RawMessageStreamEvent]]":
        return lambda: self._client.messages.create(
            model=self.name,
            system=system,
            messages=[{"role": "user", "content": content}],
            max_tokens=max_tokens,
            stream=True,
        )

    def _locate_no_more(self) -> None:
        self.locates = False


class LocatingMessagesReply(LocatedReply):
    """Calls `refused` where the server knows no search results, so that it is not asked for citations again."""

    def __init__(self, *arguments: Any, refused: Callable[[], None], **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._refused = refused

    def __iter__(self) -> Generator[str | Located, None, None]:
        try:
            yield from super().__iter__()
        except CitationsUnsupported:
            self._refused()
            raise


def _search_result(number: int, source: QuotableSource) -> dict[str, Any]:
    return {
        "type": "search_result",
        "source": str(number),
        "title": source.title,
        "content": [{"type": "text", "text": block} for block in source.blocks],
        "citations": {"enabled": True},
    }
