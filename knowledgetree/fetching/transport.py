"""httpx over guarded connections, for libraries that are built on it."""

import time
from collections.abc import Iterable, Iterator
from typing import Final

import httpcore
import httpx
from django.utils.translation import gettext as _

from knowledgetree.fetching.bodies import too_large
from knowledgetree.fetching.connection import connect_first, trusted
from knowledgetree.fetching.errors import BadReply, FetchTimeout
from knowledgetree.fetching.fetcher import translated
from knowledgetree.fetching.guarding import AddressGuard

_KEPT = 4  # connections that wait for the next request
_LONGEST: Final = 300.0  # seconds that one body may take


class GuardedTransport(httpx.BaseTransport):
    """Each connection goes to an address of `guard`; it is kept for further requests to the same server.

    Clients ask for `Accept-Encoding: identity`. A body has at most `max_bytes` and takes five minutes at most.
    Raises subclasses of FetchError. Proxies of the environment are not used.
    """

    def __init__(self, guard: AddressGuard, *, max_bytes: int) -> None:
        self._max_bytes = max_bytes
        self._timeouts = {"connect": guard.seconds, "read": guard.silence, "write": guard.silence}
        self._pool = httpcore.ConnectionPool(
            ssl_context=trusted(), max_keepalive_connections=_KEPT, network_backend=_GuardedBackend(guard)
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        content = request.read()
        sent = httpcore.Request(
            method=request.method,
            url=httpcore.URL(
                scheme=request.url.raw_scheme,
                host=request.url.raw_host,
                port=request.url.port,
                target=request.url.raw_path,
            ),
            headers=request.headers.raw,
            content=content,
            extensions={"timeout": self._timeouts},
        )
        url = str(request.url)
        with translated(url):
            reply = self._pool.handle_request(sent)
        assert isinstance(reply.stream, Iterable)  # noqa: S101  (of a synchronous pool)
        body = _BoundedBody(reply.stream, url=url, max_bytes=self._max_bytes)
        response = httpx.Response(status_code=reply.status, headers=reply.headers, stream=body)
        if response.headers.get("content-encoding", "identity").lower() not in {"", "identity"}:
            response.close()  # httpx would unpack it without a bound
            raise BadReply(_("The server sent the page packed in a way that was not asked for."))
        return response

    def close(self) -> None:
        self._pool.close()


class _GuardedBackend(httpcore.NetworkBackend):
    def __init__(self, guard: AddressGuard) -> None:
        self._guard, self._network = guard, httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        def connect(address: str) -> httpcore.NetworkStream:
            return self._network.connect_tcp(address, port, timeout, local_address, socket_options)

        return connect_first(self._guard.addresses(host, port), connect)


class _BoundedBody(httpx.SyncByteStream):
    def __init__(self, pieces: Iterable[bytes], *, url: str, max_bytes: int) -> None:
        self._pieces, self._url, self._max_bytes = pieces, url, max_bytes

    def __iter__(self) -> Iterator[bytes]:
        end, received = time.monotonic() + _LONGEST, 0
        with translated(self._url):
            for piece in self._pieces:
                received += len(piece)
                if received > self._max_bytes:
                    raise too_large(self._max_bytes)
                if time.monotonic() > end:
                    raise FetchTimeout(_("The server did not send everything in time."))
                yield piece

    def close(self) -> None:
        if callable(close := getattr(self._pieces, "close", None)):
            close()
