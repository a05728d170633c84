"""Long work of web requests: one piece at a time in a process, without a database connection, while somebody waits.

The interpreter runs one thread at once. Fifty requests that each work for a tenth of a second would make everybody else
wait for all of them; in a line, they make everybody else wait for one.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from knowledgetree.postgres.connections import release_connections

_LOOK_UP_SECONDS = 0.1  # how often somebody in the line looks whether their client still waits
_turn = threading.RLock()  # who has the turn may ask for it again
_client_gone: ContextVar[Callable[[], bool]] = ContextVar("client_gone", default=lambda: False)


class ClientGone(BaseException):
    """Nobody waits for the answer of this request any more. No error: what catches Exception must let it through."""


@contextmanager
def waiting_client(has_gone: Callable[[], bool]) -> Iterator[None]:
    """What is done in this context is done for a client, and ends at the next `end_with_client` once it `has_gone`."""
    token = _client_gone.set(has_gone)
    try:
        yield
    finally:
        _client_gone.reset(token)


def end_with_client() -> None:
    """Raises ClientGone where the client of this request has left. Work that only reads calls it between its steps."""
    if _client_gone.get()():
        raise ClientGone


@contextmanager
def in_turn() -> Iterator[None]:
    """The body runs when no other request of this process does long work. Raises ClientGone, also in the line.

    It gets no database connection to keep: those who wait would hold all that there are.
    """
    release_connections(pooled_only=True)
    while not _turn.acquire(timeout=_LOOK_UP_SECONDS):
        end_with_client()
    try:
        end_with_client()
        yield
    finally:
        _turn.release()
