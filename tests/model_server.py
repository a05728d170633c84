"""What the local servers of language models have in common: scripted turns, and what is known of who asked.

How a turn is worded is each API's own: `tests.messages_server`, `tests.chat_completions_server`.
"""

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from tests.messages_turns import Turn

_PATIENCE = 30  # seconds that a reply waits for the requests that it should come together with


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    path: str
    headers: Mapping[str, str]
    body: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class SentEvent:
    """An event of a stream as it is written; `pause` seconds follow it, `last` is the one with which all is said."""

    text: str
    pause: float = 0.0
    last: bool = False


R = TypeVar("R", bound=ModelRequest)


class ModelServer(Generic[R]):
    """Listens on 127.0.0.1 while the `with` lasts. Answers with the turns in order; the last one repeats.

    Requests that come at the same time have no order: `choose` then says which turn suits a request. `requests` records
    what arrived, `most_at_once` how many were under way together, `finished` how many replies got to their last piece:
    who came back before that has waited for none. `abandoned` is set once a client left in the middle of a stream.
    """

    read: type[R]

    def __init__(self, *turns: Turn, port: int = 0) -> None:
        self.turns = list(turns) or [Turn()]
        self.choose: Callable[[R], Turn] | None = None
        self.requests: list[R] = []
        self.abandoned = threading.Event()
        self.most_at_once = self.finished = self._under_way = 0
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self.closing = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    def refusal(self, turn: Turn) -> Any:
        """The JSON that goes with a status other than 200."""
        raise NotImplementedError

    def whole(self, turn: Turn, body: Any) -> Any:
        """The reply to a request without `stream`, as JSON."""
        raise NotImplementedError

    def streamed(self, turn: Turn, body: Any) -> Iterable[SentEvent]:
        """The same in events, up to where `turn.ending` breaks it off."""
        raise NotImplementedError

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def next_turn(self, request: R) -> Turn:
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


def _handler(server: ModelServer[Any]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            turn = server.next_turn(server.read(path=self.path, headers=headers, body=body))
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
                self._json(server.refusal(turn), status=turn.status, headers=turn.headers or {})
            elif body.get("stream"):
                self._stream(turn, server.streamed(turn, body))
            elif turn.ending == "malformed":
                self._whole(b"{to nie jest JSON", status=200, headers={})
            else:
                self._json(server.whole(turn, body), status=200, headers=turn.headers or {})

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

        def _stream(self, turn: Turn, events: Iterable[SentEvent]) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            for event in events:
                if event.last:
                    server.note_last_piece()
                self._chunk(event.text)
                server.closing.wait(event.pause)
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


def serve_until_interrupted(server: ModelServer[Any], name: str) -> None:
    """By hand, in a terminal."""
    with server:
        print(f"{name} at {server.url}; stop with Ctrl-C", flush=True)  # noqa: T201
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return
