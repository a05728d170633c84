"""Claude, or any server with its Messages API (Ollama, LiteLLM, vLLM), through the `anthropic` SDK."""

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel

from rag.errors import LLMError, LLMRejected, LLMUnavailable
from rag.llm.structured import StructuredCall, late, within
from rag.types import Tokens

if TYPE_CHECKING:
    from anthropic import APIResponse, Stream
    from anthropic.types import RawMessageStreamEvent

T = TypeVar("T", bound=BaseModel)

DEFAULT_BASE_URL = "https://api.anthropic.com"
LONGEST_WAIT = 10.0
"""Seconds. The SDK itself obeys any `retry-after`, an hour included, while a reader waits."""

# Error types that stand in for a status in an error event, inside a stream that began with 200.
_TEMPORARY = frozenset({"overloaded_error", "api_error", "rate_limit_error", "timeout_error"})
_TEMPORARY_STATUS = frozenset({408, 409, 429, 499})


class Claude:
    """Implements `rag.protocols.LanguageModel`. Thread-safe; each reply counts its own tokens.

    `timeout` is in seconds and bounds connecting and every wait for the next piece, not the whole reply.
    `max_retries` applies before the first piece only.
    """

    def __init__(
        self, *, api_key: str, model: str, base_url: str = "", timeout: float = 60.0, max_retries: int = 2
    ) -> None:
        from anthropic import Anthropic

        self.name = model
        self._enforces_schemas = True  # until the server rejects one
        # Always explicit, or the SDK would read ANTHROPIC_BASE_URL behind the settings' back.
        self._client = Anthropic(
            api_key=api_key,
            base_url=base_url or DEFAULT_BASE_URL,
            timeout=timeout,
            max_retries=max_retries,
            middleware=[_refuse_long_waits],
        )

    def stream(self, *, system: str, prompt: str, max_tokens: int) -> "ClaudeReply":
        """See `rag.protocols.LanguageModel.stream`."""

        def send() -> "Stream[RawMessageStreamEvent]":
            return self._client.messages.create(
                model=self.name,
                system=system,
                messages=[{"role": "user", "content": prompt}],
                max_tokens=max_tokens,
                stream=True,
            )

        return ClaudeReply(send)

    def structured(
        self, *, system: str, prompt: str, schema: type[T], max_tokens: int, timeout: float
    ) -> tuple[T, Tokens]:
        """See `rag.protocols.LanguageModel.structured`. `max_retries` plays no part: there is one second attempt."""

        def send(
            *, system: str, turns: Sequence[Mapping[str, str]], schema: Mapping[str, Any] | None, timeout: float
        ) -> ClaudeReply:
            client = self._client.with_options(timeout=timeout, max_retries=0)
            form: Any = {"output_config": {"format": {"type": "json_schema", "schema": schema}}} if schema else {}
            messages: Any = list(turns)
            return ClaudeReply(
                lambda: client.messages.create(
                    model=self.name, system=system, messages=messages, max_tokens=max_tokens, stream=True, **form
                )
            )

        call = StructuredCall(send, system=system, prompt=prompt, schema=schema, enforced=self._enforces_schemas)
        found = within(timeout, call.run)
        self._enforces_schemas = call.enforced
        return found


class ClaudeReply:
    """Implements `rag.protocols.Reply`; `send` makes the request and returns the SDK's raw events."""

    def __init__(self, send: "Callable[[], Stream[RawMessageStreamEvent]]") -> None:
        self._send = send
        self._stop_reason: str | None = None
        self.usage = Tokens()

    @property
    def truncated(self) -> bool:
        return self._stop_reason in ("max_tokens", "model_context_window_exceeded")

    def __iter__(self) -> Generator[str, None, None]:
        written = False
        try:
            for piece in self._pieces():
                written = written or bool(piece.strip())
                yield piece
        except LLMError:
            raise
        except Exception as error:
            # Beside the SDK's own errors, its HTTP library's and those of JSON and of missing fields come
            # through here unwrapped once the stream has begun: a gateway may send anything.
            raise _translated(error) from error
        self._check_end(written=written)

    def _pieces(self) -> Generator[str, None, None]:
        with self._send() as events:
            for event in events:
                if event.type == "message_start":
                    self._count(event.message.usage)
                elif event.type == "content_block_delta" and event.delta.type == "text_delta":
                    yield event.delta.text
                elif event.type == "message_delta":
                    self._stop_reason = event.delta.stop_reason or self._stop_reason
                    self._count(event.usage)

    def _count(self, usage: Any) -> None:
        """Counts are cumulative; `message_delta` repeats those it knows. Cached input is input as well."""
        read = [getattr(usage, name, None) for name in _INPUT_COUNTS]
        known = usage is not None and read[0] is not None
        self.usage = Tokens(
            input=sum(count or 0 for count in read) if known else self.usage.input,
            output=getattr(usage, "output_tokens", None) or self.usage.output,
        )

    def _check_end(self, *, written: bool) -> None:
        if self._stop_reason is None:
            raise LLMUnavailable(_("The language model's answer broke off."))
        if self._stop_reason == "refusal":
            raise LLMRejected(_("The language model declined to answer."), remedy=_("Put the question differently."))
        if not written:
            raise LLMUnavailable(_("The language model answered without text."))


_INPUT_COUNTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


def _refuse_long_waits(request: Any, call_next: Any) -> "APIResponse[Any]":
    """Middleware: a response that asks for a wait of more than LONGEST_WAIT seconds is not tried again."""
    response: APIResponse[Any] = call_next(request)
    try:
        wait = float(response.http_response.headers.get("retry-after", 0))
    except ValueError:  # a date; no known server of this API sends one
        wait = LONGEST_WAIT + 1
    if wait > LONGEST_WAIT:
        response.http_response.headers["x-should-retry"] = "false"
    return response


def _translated(error: Exception) -> LLMError:
    from anthropic import APIStatusError, APITimeoutError

    if isinstance(error, APITimeoutError) or "Timeout" in type(error).__name__:
        return late()
    if not isinstance(error, APIStatusError):
        return LLMUnavailable(_("The connection to the language model failed."))
    status, kind = error.status_code, error.type or ""
    reason = {"status": status if status != 200 else kind, "reason": error.api_message or error.message}
    if status >= 500 or status in _TEMPORARY_STATUS or kind in _TEMPORARY:
        return LLMUnavailable(_("The language model is not available at the moment (%(status)s).") % reason)
    return LLMRejected(_("The language model rejected the request (%(status)s: %(reason)s).") % reason)
