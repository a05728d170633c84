"""A local server that speaks the Chat Completions API, so that the real SDK can be tested without a key.

In a test:

    with ChatCompletionsServer(Turn(pieces=("Tak ", "[1]."))) as server:
        ChatCompletionsModel(api_key="", base_url=server.url, model="test") ...
        assert server.requests[0].body["model"] == "test"

By hand: `python -m tests.chat_completions_server --port 9000 --reply "Tak jest [1]."`, then start the product with
`LLM_API=chat_completions LLM_BASE_URL=http://127.0.0.1:9000 LLM_MODEL=test`. The turns are those of
`tests.messages_turns`. Format: https://platform.openai.com/docs/api-reference/chat
"""

import argparse
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.messages_turns import ToolUse, Turn
from tests.model_server import ModelRequest, ModelServer, SentEvent, serve_until_interrupted

_FINISHED = {"end_turn": "stop", "max_tokens": "length", "tool_use": "tool_calls", "refusal": "content_filter"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest(ModelRequest):
    """`system` is the text of the system message, "" where there is none; `prompt` that of the last message."""

    @property
    def system(self) -> str:
        return "".join(message["content"] for message in self.body["messages"] if message["role"] == "system")

    @property
    def prompt(self) -> str:
        return str(self.body["messages"][-1]["content"])


class ChatCompletionsServer(ModelServer[ChatRequest]):
    """See `tests.model_server.ModelServer`."""

    read = ChatRequest

    def refusal(self, turn: Turn) -> Any:
        message = turn.message or f"scripted {turn.status}"
        return {"error": {"message": message, "type": turn.error_type, "param": None, "code": None}}

    def whole(self, turn: Turn, body: Any) -> Any:
        text = "".join(piece for piece in turn.pieces if isinstance(piece, str))
        calls = [_called(piece) for piece in turn.pieces if isinstance(piece, ToolUse)]
        said = {"role": "assistant", "content": text or None, **({"tool_calls": calls} if calls else {})}
        choice = {"index": 0, "message": said, "finish_reason": _FINISHED[turn.stop_reason], "logprobs": None}
        return {**_envelope("chat.completion", body), "choices": [choice], "usage": _usage(turn)}

    def streamed(self, turn: Turn, body: Any) -> Iterator[SentEvent]:
        yield _chunk(body, {"role": "assistant", "content": ""})
        for piece in turn.pieces:
            yield _chunk(body, {"content": piece}, pause=turn.pause)
        if turn.ending == "error_event":
            yield _event({"error": {"message": "Overloaded", "type": "overloaded_error", "code": 503}})
        if turn.ending == "malformed":
            yield SentEvent(text="data: {to nie jest JSON\n\n")
        if turn.ending != "complete":
            return
        yield _chunk(body, {}, finished=_FINISHED[turn.stop_reason])
        if body.get("stream_options", {}).get("include_usage"):
            yield _event({**_envelope("chat.completion.chunk", body), "choices": [], "usage": _usage(turn)})
        yield SentEvent(text="data: [DONE]\n\n", last=True)


def _called(use: ToolUse) -> dict[str, Any]:
    arguments = use.input if isinstance(use.input, str) else json.dumps(use.input)
    return {"id": use.id, "type": "function", "function": {"name": use.name, "arguments": arguments}}


def _chunk(body: Any, delta: Any, *, finished: str | None = None, pause: float = 0.0) -> SentEvent:
    choice = {"index": 0, "delta": delta, "finish_reason": finished, "logprobs": None}
    return _event({**_envelope("chat.completion.chunk", body), "choices": [choice]}, pause=pause)


def _event(value: Any, *, pause: float = 0.0) -> SentEvent:
    return SentEvent(text=f"data: {json.dumps(value)}\n\n", pause=pause)


def _envelope(kind: str, body: Any) -> dict[str, Any]:
    return {"id": "chatcmpl-test", "object": kind, "created": 0, "model": body["model"]}


def _usage(turn: Turn) -> dict[str, Any]:
    """Input that the provider had kept is input here."""
    read = turn.input_tokens + turn.cache_read + turn.cache_write
    total = {"prompt_tokens": read, "completion_tokens": turn.output_tokens, "total_tokens": read + turn.output_tokens}
    return {**total, "prompt_tokens_details": {"cached_tokens": turn.cache_read}}


def main() -> None:
    parser = argparse.ArgumentParser(description="A Chat Completions API that always gives the same answer.")
    parser.add_argument("--port", type=int, default=9000)
    parser.add_argument("--reply", default="Odpowiedź znajduje się w pierwszym źródle [1].")
    parser.add_argument("--pause", type=float, default=0.05, help="seconds between words")
    options = parser.parse_args()
    turn = Turn(pieces=tuple(re.findall(r"\s*\S+", options.reply)), pause=options.pause)
    serve_until_interrupted(ChatCompletionsServer(turn, port=options.port), "Chat Completions API")


if __name__ == "__main__":
    main()
