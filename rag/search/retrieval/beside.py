"""Work done beside the caller's, in a thread with a database connection of its own."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from threading import BoundedSemaphore
from typing import TypeVar

from django.db import connection

from knowledgetree.postgres.connections import borrowed_connections

T = TypeVar("T")

# Where every processor works for somebody, a thread and a connection more only cost. And at most fewer than half of the
# pool's 20 connections: if every request that holds one waited for a second, none would go on.
_MOST = min(8, max(1, (os.cpu_count() or 1) - 1))
_threads = ThreadPoolExecutor(max_workers=_MOST, thread_name_prefix="search")
_free = BoundedSemaphore(_MOST)


def beside(work: Callable[[], T]) -> Callable[[], T]:
    """What to call for the result of `work`, which has begun meanwhile where the process keeps a pool of connections.

    Elsewhere it is done when it is called: to connect anew would cost more than is gained, and no other connection sees
    what a transaction has not committed. So it is where enough others do the same.
    """
    if connection.in_atomic_block or not connection.settings_dict["OPTIONS"].get("pool"):
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
