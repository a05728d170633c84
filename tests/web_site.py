"""A web site on 127.0.0.1, good or hostile: every path serves what a test puts there.

with WebSite({"/": Page("<p>Dzień dobry</p>")}) as site:
    Fetcher(**site.access).get(site.url + "/")
    assert site.requests[0].path == "/"
"""

import ssl
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from knowledgetree.fetching.addresses import AddressPolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    method: str
    path: str
    headers: Message
    body: bytes


class Page:
    """One reply. `body` may be an iterator of pieces, sent as they come with the connection closed at the end.

    `wait` seconds before the reply, `pause` after each piece and each header; with `together` nothing is sent before so
    many requests were under way at once. `raw` replaces everything.
    """

    def __init__(
        self,
        body: str | bytes | Callable[[], Iterable[bytes]] = b"",
        *,
        status: int = 200,
        media_type: str | None = "text/html; charset=utf-8",
        headers: Mapping[str, str] | None = None,
        wait: float = 0.0,
        pause: float = 0.0,
        together: int = 1,
        raw: bytes = b"",
    ) -> None:
        self.body = body.encode() if isinstance(body, str) else body
        self.status, self.wait, self.pause, self.together, self.raw = status, wait, pause, together, raw
        said = {} if media_type is None else {"Content-Type": media_type}
        self.headers = {**said, **(headers or {})}


def redirect(to: str, status: int = 302) -> Page:
    return Page(status=status, headers={"Location": to})


_PATIENCE = 30  # seconds that a page waits for the requests that it should come together with

Answer = Page | Callable[[Request], Page]


@dataclass
class WebSite:
    """Listens while the `with` lasts. A path without a page is a 404; `requests` records what arrived, `most_at_once`
    how many were under way together, `finished` how many replies got to their last piece: who came back before that
    has waited for none.
    """

    pages: Mapping[str, Answer] = field(default_factory=dict)
    ssl_context: ssl.SSLContext | None = None
    requests: list[Request] = field(default_factory=list)
    most_at_once: int = 0
    finished: int = 0

    def __post_init__(self) -> None:
        self._under_way = 0
        self._changed = threading.Condition()
        self.closing = threading.Event()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True
        if self.ssl_context:
            self._http.socket = self.ssl_context.wrap_socket(
                self._http.socket, server_side=True, do_handshake_on_connect=False
            )
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,), daemon=True)

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def access(self) -> dict[str, Any]:
        """The options with which a Fetcher may come here: without them this is a forbidden place."""
        return {"policy": AddressPolicy(["127.0.0.0/8"]), "ports": [self.port]}

    @property
    def paths(self) -> list[str]:
        return [request.path for request in self.requests]

    def answer(self, request: Request) -> Page:
        self.requests.append(request)
        page = self.pages.get(request.path) or self.pages.get(request.path.partition("?")[0])
        if page is None:
            return Page("Nie ma takiej strony.", status=404)
        return page if isinstance(page, Page) else page(request)

    def begin(self, page: Page) -> None:
        """Until the page's time has come, or the site is closed."""
        with self._changed:
            self._under_way += 1
            self.most_at_once = max(self.most_at_once, self._under_way)
            self._changed.notify_all()
            self._changed.wait_for(lambda: self.most_at_once >= page.together, timeout=_PATIENCE)
        self.closing.wait(page.wait)

    def note_last_piece(self) -> None:
        with self._changed:
            self.finished += not self.closing.is_set()

    def end(self) -> None:
        with self._changed:
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


def _handler(site: WebSite) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            request = Request(
                method=self.command,
                path=self.path,
                headers=self.headers,
                body=self.rfile.read(length),
            )
            self.close_connection = True
            page = site.answer(request)
            site.begin(page)
            # The client had enough, which is the point of many pages.
            with suppress(BrokenPipeError, ConnectionResetError, ssl.SSLError):
                self._send(page)
            site.end()

        do_POST = do_GET  # noqa: N815  (the name is http.server's)

        def _send(self, page: Page) -> None:
            if page.raw:
                site.note_last_piece()
                self.wfile.write(page.raw)
                return
            self._line(f"HTTP/1.1 {page.status} X", page.pause)
            for name, value in page.headers.items():
                self._line(f"{name}: {value}", page.pause)
            if isinstance(page.body, bytes):
                if page.status != 304 and "Content-Length" not in page.headers:
                    self._line(f"Content-Length: {len(page.body)}", 0)
                site.note_last_piece()
                self._line("", 0)
                self.wfile.write(page.body)
                return
            self._line("Connection: close\r\n", 0)
            for piece in page.body():
                self.wfile.write(piece)
                site.closing.wait(page.pause)
            site.note_last_piece()

        def _line(self, text: str, pause: float) -> None:
            self.wfile.write(text.encode("latin-1") + b"\r\n")
            site.closing.wait(pause)

        def log_message(self, *_: Any) -> None:
            pass

    return Handler
