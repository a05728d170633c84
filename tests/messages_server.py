"""A local server that speaks Anthropic's Messages API, so that the real SDK can be tested without a key.

In a test:

    with MessagesServer(Turn(pieces=("Tak ", "[1]."))) as server:
        Claude(api_key="klucz", base_url=server.url, model="test") ...
        assert server.requests[0].body["model"] == "test"

By hand: `python tests/messages_server.py --port 9000 --reply "Tak jest [1]."`, then start the product with
`ANTHROPIC_API_KEY=test ANTHROPIC_BASE_URL=http://127.0.0.1:9000`.

Format of the events: https://docs.anthropic.com/en/api/messages-streaming
"""

import argparse
import json
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal, Self

Ending = Literal["complete", "cut", "silent_end", "error_event", "malformed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """A native citation of a search-result block, sent as a `citations_delta`."""

    cited_text: str
    source: str = ""
    title: str = ""
    search_result_index: int = 0
    start_block_index: int = 0
    end_block_index: int = 1
    type: str = "search_result_location"


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One scripted response. `status` other than 200 sends an error; `ending` says how a stream ends:

    `complete`; `cut`: the connection drops; `silent_end`: it closes in order, but without the closing events;
    `error_event`: an `overloaded_error` in the stream; `malformed`: an event that is not JSON. Times are in
    seconds: `wait` before the response, `pause` after each piece.
    """

    pieces: tuple[str | Located, ...] = ("Tak [1].",)
    status: int = 200
    error_type: str = "api_error"
    headers: Mapping[str, str] | None = None
    ending: Ending = "complete"
    stop_reason: str = "end_turn"
    input_tokens: int = 100
    output_tokens: int = 20
    wait: float = 0.0
    pause: float = 0.0

    @classmethod
    def structured(cls, value: Any) -> Self:
        """The reply to a request with a JSON schema: the value as JSON text, in two pieces."""
        text = json.dumps(value, ensure_ascii=False)
        return cls(pieces=(text[: len(text) // 2], text[len(text) // 2 :]))


RATE_LIMITED = Turn(status=429, error_type="rate_limit_error", headers={"retry-after": "0.01"})
OVERLOADED = Turn(status=529, error_type="overloaded_error")
BROKEN = Turn(status=500)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    path: str
    headers: Mapping[str, str]
    body: Any


class MessagesServer:
    """Listens on 127.0.0.1 while the `with` lasts. Answers with the turns in order; the last one repeats.

    Requests that come at the same time have no order: `choose` then says which turn suits a request. `requests` records
    what arrived; `abandoned` is set once a client left in the middle of a stream.
    """

    def __init__(self, *turns: Turn, port: int = 0) -> None:
        self.turns = list(turns) or [Turn()]
        self.choose: Callable[[Request], Turn] | None = None
        self.requests: list[Request] = []
        self.abandoned = threading.Event()
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def next_turn(self, request: Request) -> Turn:
        with self._lock:
            self.requests.append(request)
            if self.choose:
                return self.choose(request)
            return self.turns.pop(0) if len(self.turns) > 1 else self.turns[0]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def message(turn: Turn, model: str) -> dict[str, Any]:
    """The whole reply as the JSON of a request without `stream`."""
    text = "".join(piece for piece in turn.pieces if isinstance(piece, str))
    found = [asdict(piece) for piece in turn.pieces if isinstance(piece, Located)]
    block = {"type": "text", "text": text, "citations": found or None}
    usage = {"input_tokens": turn.input_tokens, "output_tokens": turn.output_tokens}
    return _envelope(model, content=[block], stop_reason=turn.stop_reason, usage=usage)


def events(turn: Turn, model: str) -> Iterator[dict[str, Any]]:
    """The reply as stream events, up to where `turn.ending` breaks it off."""
    started = _envelope(
        model, content=[], stop_reason=None, usage={"input_tokens": turn.input_tokens, "output_tokens": 1}
    )
    yield {"type": "message_start", "message": started}
    yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    yield {"type": "ping"}
    for piece in turn.pieces:
        yield {"type": "content_block_delta", "index": 0, "delta": _delta(piece)}
    if turn.ending == "error_event":
        yield {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}
    if turn.ending == "complete":
        yield {"type": "content_block_stop", "index": 0}
        stopped = {"stop_reason": turn.stop_reason, "stop_sequence": None}
        yield {"type": "message_delta", "delta": stopped, "usage": {"output_tokens": turn.output_tokens}}
        yield {"type": "message_stop"}


def _delta(piece: str | Located) -> dict[str, Any]:
    if isinstance(piece, Located):
        return {"type": "citations_delta", "citation": asdict(piece)}
    return {"type": "text_delta", "text": piece}


def _envelope(model: str, **fields: Any) -> dict[str, Any]:
    fixed = {"id": "msg_test", "type": "message", "role": "assistant", "stop_sequence": None}
    return {**fixed, "model": model, **fields}


def _handler(server: MessagesServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            turn = server.next_turn(Request(path=self.path, headers=headers, body=body))
            time.sleep(turn.wait)
            try:
                self._respond(turn, body)
            except (BrokenPipeError, ConnectionResetError):
                server.abandoned.set()
                self.close_connection = True

        def _respond(self, turn: Turn, body: Any) -> None:
            if turn.status != 200:
                error = {"type": turn.error_type, "message": f"scripted {turn.status}"}
                self._json({"type": "error", "error": error}, status=turn.status, headers=turn.headers or {})
            elif body.get("stream"):
                self._stream(turn, body["model"])
            else:
                self._json(message(turn, body["model"]), status=200, headers=turn.headers or {})

        def _json(self, value: Any, *, status: int, headers: Mapping[str, str]) -> None:
            content = json.dumps(value).encode()
            self.send_response(status)
            for name, text in {"content-type": "application/json", **headers}.items():
                self.send_header(name, text)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def _stream(self, turn: Turn, model: str) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            for event in events(turn, model):
                self._chunk(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n")
                time.sleep(turn.pause if event["type"] == "content_block_delta" else 0)
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
