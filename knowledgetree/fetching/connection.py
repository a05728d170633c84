"""Connections that go to a checked address and end with a deadline, whatever the server does."""

import ssl
import time
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

import httpcore
import httpx


@lru_cache(maxsize=1)
def trusted() -> ssl.SSLContext:
    """The usual certificate authorities, or those that SSL_CERT_FILE or SSL_CERT_DIR name: an intranet has its own."""
    return httpx.create_ssl_context()


class Deadline:
    """A moment after which nothing is waited for any more."""

    def __init__(self, seconds: float) -> None:
        self._at = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds, more than 0. Raises httpcore.ReadTimeout when none are left."""
        seconds = self._at - time.monotonic()
        if seconds <= 0:
            raise httpcore.ReadTimeout("the deadline has passed")
        return seconds


class PinnedBackend(httpcore.NetworkBackend):
    """Connects to one of `addresses`, never to the name it is asked for: that is only for TLS and the Host header.

    Nothing is looked up here, so a name that changes its mind between check and connection changes nothing.
    """

    def __init__(self, addresses: Sequence[str], *, deadline: Deadline, connect_seconds: float) -> None:
        self._addresses, self._deadline, self._connect_seconds = addresses, deadline, connect_seconds
        self._network = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.NetworkStream:
        def connect(address: str) -> httpcore.NetworkStream:
            seconds = min(self._connect_seconds, self._deadline.left())
            return self._network.connect_tcp(address, port, seconds, local_address, socket_options)

        return TimedStream(connect_first(self._addresses, connect), self._deadline)


def connect_first(addresses: Iterable[str], connect: Callable[[str], httpcore.NetworkStream]) -> httpcore.NetworkStream:
    """Connects to the first of `addresses` that answers. Raises what the last one failed with."""
    failed: Exception = httpcore.ConnectError("no address")
    for address in addresses:
        try:
            return connect(address)
        except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
            failed = error
    raise failed


class TimedStream(httpcore.NetworkStream):
    """A stream on which a byte now and then does not prolong the waiting."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream, self._deadline = stream, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, self._deadline.left())

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.left())

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        secured = self._stream.start_tls(ssl_context, server_hostname, self._deadline.left())
        return TimedStream(secured, self._deadline)

    def get_extra_info(self, info: str) -> object:
        return self._stream.get_extra_info(info)
