"""Claude, or any server with its Messages API (Ollama, LiteLLM, vLLM), through the `anthropic` SDK."""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel

from knowledgetree.language_models import STRUCTURED_LEVELS, Capabilities, LLMSettings
from rag.llm.capabilities import KnownCapabilities, known_capabilities
from rag.llm.deadline import within
from rag.llm.failures import translated
from rag.llm.messages.caching import kept, kept_if_long, kept_up_to_here
from rag.llm.messages.located_reply import LocatedReply, TextReply, counted
from rag.llm.messages.tool_use import messages_as_sent, tools_as_sent, turn_of
from rag.llm.provider import CONNECT_SECONDS, Provider, provider, provider_of
from rag.llm.retries import persistent
from rag.llm.spending.meter import note_usage
from rag.llm.structured import StructuredCall
from rag.types import Message, ModelTurn, QuotableSource, Tokens, ToolSpec

if TYPE_CHECKING:
    from anthropic import Stream, types
    from anthropic.types import RawMessageStreamEvent

R = TypeVar("R")
T = TypeVar("T", bound=BaseModel)

DEFAULT_BASE_URL = "https://api.anthropic.com"
LEVELS = tuple(level for level in STRUCTURED_LEVELS if level != "json")
"""What keeps a reply to a form: this API has no JSON of any form."""


class MessagesModel:
    """Implements `rag.llm.protocol.LanguageModel`. Thread-safe; each reply counts its own tokens.

    `timeout` is in seconds and bounds every wait for the next piece, not the whole reply. `max_retries` (see
    `rag.llm.retries`) applies before the first piece only, and not to what was late. `locates`: whether quotes are
    located by the server; it becomes False when the server refuses to. `extra_body` goes with every request. `shared`
    is what all clients of this server have in common; by default the one of the process. `known` is what its server
    can do.
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
        extra_body: Mapping[str, Any] | None = None,
        shared: Provider | None = None,
        known: KnownCapabilities | None = None,
    ) -> None:
        from anthropic import Anthropic, Timeout

        self.name = model
        self._known = known or KnownCapabilities()
        self._known.learn(streaming=True, stream_usage=True, system_role=True)  # which this API is never without
        self._locates = locates
        self._timeout = timeout
        self._retries = max_retries
        self._extra = extra_body or None
        address = base_url or DEFAULT_BASE_URL
        self._provider = shared or provider(address)
        # Always explicit, or the SDK would read the environment behind the settings' back. It wants some key.
        self._client = Anthropic(
            api_key=api_key or "none",
            base_url=address,
            timeout=Timeout(timeout, connect=min(timeout, CONNECT_SECONDS)),
            max_retries=0,
        )

    @property
    def locates(self) -> bool:
        return self._locates and self._known.now.located_quotes is not False

    @property
    def capabilities(self) -> Capabilities:
        return self._known.now

    def stream(self, *, system: str, prompt: str, max_tokens: int) -> TextReply:
        """See `rag.llm.protocol.LanguageModel.stream`."""
        send = self._sending(system=kept(system), content=prompt, max_tokens=max_tokens)
        return TextReply(send, model=self.name, provider=self._provider, timeout=self._timeout)

    def cite(self, *, system: str, sources: Sequence[QuotableSource], prompt: str, max_tokens: int) -> LocatedReply:
        """See `rag.llm.protocol.LanguageModel.cite`."""
        content = [*map(_search_result, range(1, len(sources) + 1), sources), {"type": "text", "text": prompt}]
        send = self._sending(system=kept(system), content=content, max_tokens=max_tokens)
        return LocatedReply(
            send, model=self.name, provider=self._provider, timeout=self._timeout, refused=self._locate_no_more
        )

    def structured(
        self, *, system: str, prompt: str, schema: type[T], max_tokens: int, timeout: float
    ) -> tuple[T, Tokens]:
        """See `rag.llm.protocol.LanguageModel.structured`. `max_retries` plays no part: there is one second attempt."""

        def send(
            system: str, turns: Sequence[Mapping[str, str]], level: str, schema: Mapping[str, Any], timeout: float
        ) -> TextReply:
            client = self._client.with_options(timeout=timeout)
            enforced = level == "schema"
            form: Any = {"output_config": {"format": {"type": "json_schema", "schema": schema}}} if enforced else {}
            rules: Any = kept_if_long(system)
            messages: Any = list(turns)
            return TextReply(
                lambda: client.messages.create(
                    model=self.name,
                    system=rules,
                    messages=messages,
                    max_tokens=max_tokens,
                    stream=True,
                    extra_body=self._extra,
                    **form,
                ),
                model=self.name,
                provider=self._provider,
                timeout=timeout,
                hurried=timeout < self._timeout,
            )

        levels = LEVELS[-1:] if self._known.now.structured in ("json", "instruction") else LEVELS
        call = StructuredCall(send, system=system, prompt=prompt, schema=schema, levels=levels)
        found = within(timeout, call.run)
        self._known.learn(structured=call.level)
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
        turn = self.whole(request, read=turn_of, timeout=timeout)
        self._known.learn(tools=True)
        return turn

    def whole(self, request: Mapping[str, Any], *, read: "Callable[[types.Message], R]", timeout: float) -> R:
        """What `read` makes of a reply that comes in one piece; `request` as the API has it, without the model.

        `timeout` is in seconds and bounds the whole call. Raises LLMError, also where `read` raises.
        """

        def ask(deadline: float) -> R:
            left = deadline - time.monotonic()
            client = self._client.with_options(timeout=left)
            with self._provider.request(model=self.name, timeout=left, hurried=timeout < self._timeout):
                try:
                    create = partial(client.messages.create, model=self.name, extra_body=self._extra)
                    message = persistent(partial(create, **request), retries=1)
                    note_usage(self.name, counted(message.usage, Tokens()))
                    return read(message)
                except Exception as error:
                    raise translated(error) from error

        return within(timeout, ask)

    def _sending(self, *, system: Any, content: Any, max_tokens: int) -> "Callable[[], Stream[RawMessageStreamEvent]]":
        def send() -> "Stream[RawMessageStreamEvent]":
            return self._client.messages.create(
                model=self.name,
                system=system,
                messages=[{"role": "user", "content": content}],
                max_tokens=max_tokens,
                stream=True,
                extra_body=self._extra,
            )

        return lambda: persistent(send, retries=self._retries)

    def _locate_no_more(self) -> None:
        self._known.learn(located_quotes=False)


def messages_model(settings: LLMSettings) -> MessagesModel:
    """The client for the settings' `model`, which shares what clients of its server know."""
    address = settings.base_url or DEFAULT_BASE_URL
    return MessagesModel(
        api_key=settings.api_key,
        base_url=address,
        model=settings.model,
        timeout=settings.timeout,
        max_retries=settings.max_retries,
        locates=settings.native_citations,
        extra_body=settings.extra_body,
        shared=provider_of(settings, address),
        known=known_capabilities(address, settings.model, settings.capabilities),
    )


def _search_result(number: int, source: QuotableSource) -> dict[str, Any]:
    return {
        "type": "search_result",
        "source": str(number),
        "title": source.title,
        "content": [{"type": "text", "text": block} for block in source.blocks],
        "citations": {"enabled": True},
    }
