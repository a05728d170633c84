"""What the servers of the tests have in common: they listen while a `with` lasts, and know who waited for whom."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

_PATIENCE = 30  # seconds that a reply waits for the requests that it should come together with


class LocalServer:
    """Listens on 127.0.0.1 while the `with` lasts.

    `most_at_once` is how many requests were under way together, `finished` how many replies got to their last piece:
    who came back before that has waited for none. `closing` is set when the `with` ends.
    """

    def __init__(self, handler: type[BaseHTTPRequestHandler], port: int = 0) -> None:
        self.most_at_once = self.finished = self._under_way = 0
        self.closing = threading.Event()
        self.changed = threading.Condition()
        self.http = ThreadingHTTPServer(("127.0.0.1", port), handler)
        self.http.daemon_threads = True
        self._thread = threading.Thread(target=self.http.serve_forever, args=(0.01,), daemon=True)

    @property
    def port(self) -> int:
        return int(self.http.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @contextmanager
    def under_way(self, *, together: int = 1, wait: float = 0.0) -> Iterator[None]:
        """Around a reply: it begins when so many were under way at once, `wait` seconds later, or with the closing."""
        with self.changed:
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
            self.changed.notify_all()
            self.changed.wait_for(lambda: self.most_at_once >= together, timeout=_PATIENCE)
        self.closing.wait(wait)
        try:
            yield
        finally:
            with self.changed:
                self._under_way -= 1

    def note_last_piece(self) -> None:
        with self.changed:
            self.finished += not self.closing.is_set()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self.http.shutdown()
        self.http.server_close()
        self._thread.join()


class SilentHandler(BaseHTTPRequestHandler):
    """Speaks HTTP/1.1, and leaves it to the tests to say what arrived."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_: Any) -> None:
        pass
