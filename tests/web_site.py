"""A web site on 127.0.0.1, good or hostile: every path serves what a test puts there.

with WebSite({"/": Page("<p>Dzień dobry</p>")}) as site:
    Fetcher(**site.access).get(site.url + "/")
    assert site.requests[0].path == "/"
"""

import ssl
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.message import Message
from typing import Any

from knowledgetree.fetching.addresses import AddressPolicy
from tests.local_server import LocalServer, SilentHandler


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


Answer = Page | Callable[[Request], Page]


class WebSite(LocalServer):
    """A path without a page is a 404; `requests` records what arrived."""

    def __init__(self, pages: Mapping[str, Answer] | None = None, ssl_context: ssl.SSLContext | None = None) -> None:
        self.pages: Mapping[str, Answer] = {} if pages is None else pages
        self.ssl_context = ssl_context
        self.requests: list[Request] = []
        super().__init__(_handler(self))
        if ssl_context:
            self.http.socket = ssl_context.wrap_socket(
                self.http.socket, server_side=True, do_handshake_on_connect=False
            )

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


def _handler(site: WebSite) -> type[SilentHandler]:
    class Handler(SilentHandler):
        def do_GET(self) -> None:  # noqa: N802  (the name is http.server's)
            length = int(self.headers.get("Content-Length") or 0)
            request = Request(
                method=self.command,
                path=self.path,
                headers=self.headers,
                body=self.rfile.read(length),
            )
            self.close_connection = True
            page = site.answer(request)
            # What is suppressed: the client had enough, which is the point of many pages.
            with (
                site.under_way(together=page.together, wait=page.wait),
                suppress(BrokenPipeError, ConnectionResetError, ssl.SSLError),
            ):
                self._send(page)

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

    return Handler
