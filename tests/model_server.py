"""What the local servers of language models have in common: scripted turns, and what is known of who asked.

How a turn is worded is each API's own: `tests.messages_server`, `tests.chat_completions_server`.
"""

import json
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from tests.local_server import LocalServer, SilentHandler
from tests.messages_turns import Turn


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


class ModelServer(LocalServer, Generic[R]):
    """Answers with the turns in order; the last one repeats.

    Requests that come at the same time have no order: `choose` then says which turn suits a request. `requests` records
    what arrived. `abandoned` is set once a client left in the middle of a stream.
    """

    read: type[R]

    def __init__(self, *turns: Turn, port: int = 0) -> None:
        self.turns = list(turns) or [Turn()]
        self.choose: Callable[[R], Turn] | None = None
        self.requests: list[R] = []
        self.abandoned = threading.Event()
        super().__init__(_handler(self), port)

    def refusal(self, turn: Turn) -> Any:
        """The JSON that goes with a status other than 200."""
        raise NotImplementedError

    def whole(self, turn: Turn, body: Any) -> Any:
        """The reply to a request without `stream`, as JSON."""
        raise NotImplementedError

    def streamed(self, turn: Turn, body: Any) -> Iterable[SentEvent]:
        """The same in events, up to where `turn.ending` breaks it off."""
        raise NotImplementedError

    def next_turn(self, request: R) -> Turn:
        with self.changed:
            self.requests.append(request)
            if not self.choose:
                return self.turns.pop(0) if len(self.turns) > 1 else self.turns[0]
        return self.choose(request)


def _handler(server: ModelServer[Any]) -> type[SilentHandler]:
    class Handler(SilentHandler):
        def do_POST(self) -> None:  # noqa: N802  (the name is http.server's)
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            turn = server.next_turn(server.read(path=self.path, headers=headers, body=body))
            with server.under_way(together=turn.together, wait=turn.wait):
                try:
                    self._respond(turn, body)
                except (BrokenPipeError, ConnectionResetError):
                    server.abandoned.set()
                    self.close_connection = True

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

    return Handler


def serve_until_interrupted(server: ModelServer[Any], name: str) -> None:
    """By hand, in a terminal."""
    with server:
        print(f"{name} at {server.url}; stop with Ctrl-C", flush=True)  # noqa: T201
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            return
