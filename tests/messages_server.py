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
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

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

_PATIENCE = 30  # seconds that a reply waits for the requests that it should come together with


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """`system` is the text of the system prompt, whether it was sent as text or in blocks; `prompt` that of the last
    message, the texts of its search results and tool results among it.
    """

    path: str
    headers: Mapping[str, str]
    body: Any

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


class MessagesServer:
    """Listens on 127.0.0.1 while the `with` lasts. Answers with the turns in order; the last one repeats.

    Requests that come at the same time have no order: `choose` then says which turn suits a request. `requests` records
    what arrived, `most_at_once` how many were under way together, `finished` how many replies got to their last piece:
    who came back before that has waited for none. `abandoned` is set once a client left in the middle of a stream.
    """

    def __init__(self, *turns: Turn, port: int = 0) -> None:
        self.turns = list(turns) or [Turn()]
        self.choose: Callable[[Request], Turn] | None = None
        self.requests: list[Request] = []
        self.abandoned = threading.Event()
        self.most_at_once = self.finished = self._under_way = 0
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self.closing = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def next_turn(self, request: Request) -> Turn:
        with self._lock:
            self.requests.append(request)
            if not self.choose:
                return self.turns.pop(0) if len(self.turns) > 1 else self.turns[0]
        return self.choose(request)

    def begin(self, turn: Turn) -> None:
        """Until the turn's time has come, or the server is closed."""
        with self._changed:
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
            self._changed.notify_all()
            self._changed.wait_for(lambda: self.most_at_once >= turn.together, timeout=_PATIENCE)
        self.closing.wait(turn.wait)

    def note_last_piece(self) -> None:
        with self._lock:
            self.finished += not self.closing.is_set()

    def end(self) -> None:
        with self._lock:
            self._under_way -= 1

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def _handler(server: MessagesServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            turn = server.next_turn(Request(path=self.path, headers=headers, body=body))
            server.begin(turn)
            try:
                self._respond(turn, body)
            except (BrokenPipeError, ConnectionResetError):
                server.abandoned.set()
                self.close_connection = True
            finally:
                server.end()

        def _respond(self, turn: Turn, body: Any) -> None:
            if turn.status != 200:
                error = {"type": turn.error_type, "message": turn.message or f"scripted {turn.status}"}
                self._json({"type": "error", "error": error}, status=turn.status, headers=turn.headers or {})
            elif body.get("stream"):
                self._stream(turn, body["model"])
            elif turn.ending == "malformed":
                self._whole(b"{to nie jest JSON", status=200, headers={})
            else:
                self._json(message(turn, body["model"]), status=200, headers=turn.headers or {})

        def _json(self, value: Any, *, status: int, headers: Mapping[str, str]) -> None:
            self._whole(json.dumps(value).encode(), status=status, headers=headers)

        def _whole(self, content: bytes, *, status: int, headers: Mapping[str, str]) -> None:
            self.send_response(status)
            for name, text in {"content-type": "application/json", **headers}.items():
                self.send_header(name, text)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            server.note_last_piece()
            self.wfile.write(content)

        def _stream(self, turn: Turn, model: str) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            for event in events(turn, model):
                if event["type"] == "message_stop":
                    server.note_last_piece()
                self._chunk(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n")
                server.closing.wait(turn.pause if event["type"] == "content_block_delta" else 0)
            if turn.ending == "malformed":
                self._chunk("event: content_block_delta\ndata: {to nie jest JSON\n\n")
            if turn.ending == "cut":
                self.close_connection = True  # no last chunk: the client sees the connection drop
            else:
                self._chunk("")

        def _chunk(self, text: str) -> None:
            content = text.encode()
            self.wfile.write(f"{len(content):x}\r\n".encode() + content + b"\r\n")
            self.wfile.flush()

        def log_message(self, format: str, *args: Any) -> None:
            """Silent: tests assert on `requests` instead."""

    return Handler


def main() -> None:
    parser = argparse.ArgumentParser(description="A Messages API that always gives the same answer.")
    parser.add_argument("--port", type=int, default=9000)
    parser.add_argument("--reply", default="Odpowiedź znajduje się w pierwszym źródle [1].")
    parser.add_argument("--pause", type=float, default=0.05, help="seconds between words")
    options = parser.parse_args()
    turn = Turn(pieces=tuple(re.findall(r"\s*\S+", options.reply)), pause=options.pause)
    with MessagesServer(turn, port=options.port) as server:
        print(f"Messages API at {server.url}; stop with Ctrl-C", flush=True)  # noqa: T201
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return


if __name__ == "__main__":
    main()
