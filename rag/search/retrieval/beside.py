"""Work done beside the caller's, in a thread with a database connection of its own."""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import copy_context
from threading import BoundedSemaphore, Lock
from typing import TypeVar

from django.db import connection

from knowledgetree.postgres.connections import borrowed_connections

T = TypeVar("T")

# Fewer than half of the pool's 20 connections. If every request that holds one waited for a second, none would go on.
_MOST = 8
_threads = ThreadPoolExecutor(max_workers=_MOST, thread_name_prefix="search")
_free = BoundedSemaphore(_MOST)
_processors = os.cpu_count() or 1
_searches = 0
_counting = Lock()


@contextmanager
def search_under_way() -> Iterator[None]:
    """Counts the body, or a function as its decorator, as a search of this process."""
    global _searches
    with _counting:
        _searches += 1
    try:
        yield
    finally:
        with _counting:
            _searches -= 1


def beside(work: Callable[[], T]) -> Callable[[], T]:
    """What to call for the result of `work`, which has begun meanwhile where the process keeps a pool of connections.

    Elsewhere it is done when it is called: to connect anew would cost more than is gained, and no other connection sees
    what a transaction has not committed. So it is where enough others do the same, and where as many searches are under
    way as there are processors: a thread and a connection more then gain nothing.
    """
    if connection.in_atomic_block or not connection.settings_dict["OPTIONS"].get("pool"):
        return work
    if _searches > max(1, _processors - 1):
        return work
    if not _free.acquire(blocking=False):
        return work
    return _threads.submit(copy_context().run, _with_connection, work).result


def _with_connection(work: Callable[[], T]) -> T:
    try:
        with borrowed_connections():
            return work()
    finally:
        _free.release()
