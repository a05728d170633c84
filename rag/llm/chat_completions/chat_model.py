"""Any server with the Chat Completions API, through the `openai` SDK."""

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, TypeVar

from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel

from knowledgetree.language_models import STRUCTURED_LEVELS, Capabilities, LLMSettings
from rag.errors import CitationsUnsupported, ToolsUnsupported
from rag.llm.capabilities import KnownCapabilities, known_capabilities
from rag.llm.chat_completions.chat_reply import ChatReply
from rag.llm.chat_completions.dialects import (
    address_of,
    form_as_sent,
    lesson_of,
    limit_as_sent,
    shown_by,
    streaming_as_sent,
    turns_as_sent,
)
from rag.llm.chat_completions.function_calls import chat_as_sent, chat_turn, functions_as_sent
from rag.llm.deadline import within
from rag.llm.failures import translated
from rag.llm.protocol import LocatingReply
from rag.llm.provider import CONNECT_SECONDS, Provider, provider, provider_of
from rag.llm.retries import persistent
from rag.llm.spending.meter import note_usage
from rag.llm.structured import StructuredCall
from rag.types import Message, ModelTurn, QuotableSource, Tokens, ToolSpec

T = TypeVar("T", bound=BaseModel)

Request = Callable[[Capabilities], dict[str, Any]]
"""Makes the request for a server that can do so much."""

DEFAULT_BASE_URL = "https://api.openai.com/v1"


class ChatCompletionsModel:
    """Implements `rag.llm.protocol.LanguageModel`. Thread-safe; each reply counts its own tokens.

    `timeout` is in seconds and bounds every wait for the next piece, not the whole reply. `max_retries` (see
    `rag.llm.retries`) applies before the first piece only, and not to what was late. A server of one's own may do
    without `api_key`. `extra_body` goes with every request. `shared` is what all clients of this server have in common,
    by default that of the process; `known` what the server can do: what it refuses is left out from then on.
    """

    locates = False

    def __init__(
        self,
        *,
        api_key: str,
        model: str,
        base_url: str = "",
        timeout: float = 60.0,
        max_retries: int = 2,
        extra_body: Mapping[str, Any] | None = None,
        shared: Provider | None = None,
        known: KnownCapabilities | None = None,
    ) -> None:
        from openai import Omit, OpenAI, Timeout

        self.name = model
        self._known = known or KnownCapabilities()
        self._known.learn(located_quotes=False)  # which this API has no words for
        self._timeout = timeout
        self._retries = max_retries
        self._extra = dict(extra_body or {})
        address = address_of(base_url) if base_url else DEFAULT_BASE_URL
        self._provider = shared or provider(address)
        # Always explicit, or the SDK would read the environment behind the settings' back. It wants some key.
        unsent = ["OpenAI-Organization", "OpenAI-Project", *([] if api_key else ["Authorization"])]
        self._headers = {name: Omit() for name in unsent}
        self._client = OpenAI(
            api_key=api_key or "none",
            base_url=address,
            timeout=Timeout(timeout, connect=min(timeout, CONNECT_SECONDS)),
            max_retries=0,
        )

    @property
    def capabilities(self) -> Capabilities:
        return self._known.now

    def stream(self, *, system: str, prompt: str, max_tokens: int) -> ChatReply:
        """See `rag.llm.protocol.LanguageModel.stream`."""
        turns = [{"role": "user", "content": prompt}]

        def request(can: Capabilities) -> dict[str, Any]:
            return {
                "messages": turns_as_sent(system, turns, can),
                **limit_as_sent(max_tokens, can),
                **streaming_as_sent(can),
            }

        return ChatReply(
            lambda: self._create(request, timeout=self._timeout, retries=self._retries),
            model=self.name,
            provider=self._provider,
            timeout=self._timeout,
        )

    def cite(self, *, system: str, sources: Sequence[QuotableSource], prompt: str, max_tokens: int) -> LocatingReply:
        """Raises CitationsUnsupported: this API has no search results."""
        raise CitationsUnsupported(_("The Chat Completions API does not locate what it quotes."))

    def structured(
        self, *, system: str, prompt: str, schema: type[T], max_tokens: int, timeout: float
    ) -> tuple[T, Tokens]:
        """See `rag.llm.protocol.LanguageModel.structured`. `max_retries` plays no part: there is one second attempt."""

        def send(
            system: str, turns: Sequence[Mapping[str, str]], level: str, form: Mapping[str, Any], timeout: float
        ) -> ChatReply:
            def request(can: Capabilities) -> dict[str, Any]:
                return {
                    "messages": turns_as_sent(system, turns, can),
                    **limit_as_sent(max_tokens, can),
                    **streaming_as_sent(can),
                    **form_as_sent(level, schema.__name__, form),
                }

            return ChatReply(
                lambda: self._create(request, timeout=timeout, retries=0),
                model=self.name,
                provider=self._provider,
                timeout=timeout,
                hurried=timeout < self._timeout,
            )

        known = self._known.now.structured
        levels = STRUCTURED_LEVELS[STRUCTURED_LEVELS.index(known) if known else 0 :]
        # Most servers keep the model to the schema without telling it, and what it does not know it cannot mean.
        call = StructuredCall(send, system=system, prompt=prompt, schema=schema, levels=levels, told=True)
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
        """See `rag.llm.protocol.LanguageModel.converse`. Raises ToolsUnsupported where the server knows no tools."""

        def request(can: Capabilities) -> dict[str, Any]:
            if can.tools is False:
                raise ToolsUnsupported(_("The language model's server does not let it use tools."))
            turns = turns_as_sent(system, chat_as_sent(messages), can)
            return {
                "messages": turns,
                **limit_as_sent(max_tokens, can),
                **functions_as_sent(tools, may_call=may_call),
            }

        def ask(deadline: float) -> ModelTurn:
            left = deadline - time.monotonic()
            with self._provider.request(model=self.name, timeout=left, hurried=timeout < self._timeout):
                try:
                    turn = chat_turn(self._create(request, timeout=left, retries=1), may_call=may_call)
                except ToolsUnsupported:
                    raise
                except Exception as error:
                    raise translated(error) from error
                note_usage(self.name, turn.usage)
            return turn

        return within(timeout, ask)

    def _create(self, request: Request, *, timeout: float, retries: int) -> Any:
        """What the SDK makes of the server's answer, asked anew as long as a refusal teaches something."""
        client = self._client.with_options(timeout=timeout)
        while True:
            known = self._known.now
            sent = {"model": self.name, **request(known), "extra_body": self._extra, "extra_headers": self._headers}
            try:
                reply = persistent(partial(client.chat.completions.create, **sent), retries=retries)
            except Exception as error:
                lesson = lesson_of(error)
                self._known.learn(**lesson)
                if all(getattr(self._known.now, name) == getattr(known, name) for name in lesson):
                    raise
            else:
                self._known.learn(**shown_by(sent))
                return reply


def chat_model(settings: LLMSettings) -> ChatCompletionsModel:
    """The client for the settings' `model`, which shares what clients of its server know."""
    address = settings.base_url or DEFAULT_BASE_URL
    return ChatCompletionsModel(
        api_key=settings.api_key,
        base_url=address,
        model=settings.model,
        timeout=settings.timeout,
        max_retries=settings.max_retries,
        extra_body=settings.extra_body,
        shared=provider_of(settings, address),
        known=known_capabilities(address, settings.model, settings.capabilities),
    )
