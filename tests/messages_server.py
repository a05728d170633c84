"""A local server that speaks Anthropic's Messages API, so that the real SDK can be tested without a key.

In a test:

    with MessagesServer(Turn(pieces=("Tak ", "[1]."))) as server:
        MessagesModel(api_key="klucz", base_url=server.url, model="test") ...
        assert server.requests[0].body["model"] == "test"

By hand: `python -m tests.messages_server --port 9000 --reply "Tak jest [1]."`, then start the product with
`ANTHROPIC_API_KEY=test ANTHROPIC_BASE_URL=http://127.0.0.1:9000`.
"""

import argparse
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.messages_turns import (
    BROKEN,
    OVERLOADED,
    RATE_LIMITED,
    Located,
    ToolUse,
    Turn,
    WebQuote,
    WebSearch,
    events,
    message,
)
from tests.model_server import ModelRequest, ModelServer, SentEvent, serve_until_interrupted

__all__ = [
    "BROKEN",
    "OVERLOADED",
    "RATE_LIMITED",
    "Located",
    "MessagesServer",
    "Request",
    "ToolUse",
    "Turn",
    "WebQuote",
    "WebSearch",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request(ModelRequest):
    """`system` is the text of the system prompt, whether it was sent as text or in blocks; `prompt` that of the last
    message, the texts of its search results and tool results among it.
    """

    @property
    def system(self) -> str:
        return _text(self.body.get("system", ""))

    @property
    def prompt(self) -> str:
        return _text(self.body["messages"][-1]["content"])


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(block["text"] if "text" in block else _text(block.get("content", "")) for block in content)


class MessagesServer(ModelServer[Request]):
    """See `tests.model_server.ModelServer`."""

    read = Request

    def refusal(self, turn: Turn) -> Any:
        error = {"type": turn.error_type, "message": turn.message or f"scripted {turn.status}"}
        return {"type": "error", "error": error}

    def whole(self, turn: Turn, body: Any) -> Any:
        return message(turn, body["model"])

    def streamed(self, turn: Turn, body: Any) -> Iterator[SentEvent]:
        for event in events(turn, body["model"]):
            kind = event["type"]
            text = f"event: {kind}\ndata: {json.dumps(event)}\n\n"
            pause = turn.pause if kind == "content_block_delta" else 0.0
            yield SentEvent(text=text, pause=pause, last=kind == "message_stop")
        if turn.ending == "malformed":
            yield SentEvent(text="event: content_block_delta\ndata: {to nie jest JSON\n\n")


def main() -> None:
    parser = argparse.ArgumentParser(description="A Messages API that always gives the same answer.")
    parser.add_argument("--port", type=int, default=9000)
    parser.add_argument("--reply", default="Odpowiedź znajduje się w pierwszym źródle [1].")
    parser.add_argument("--pause", type=float, default=0.05, help="seconds between words")
    options = parser.parse_args()
    turn = Turn(pieces=tuple(re.findall(r"\s*\S+", options.reply)), pause=options.pause)
    serve_until_interrupted(MessagesServer(turn, port=options.port), "Messages API")


if __name__ == "__main__":
    main()
