"""Work of many batches in several processes. Nothing of Django is imported before a new process has set it up."""

import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from itertools import islice
from multiprocessing import get_context, parent_process
from typing import Any, TypeVar

B = TypeVar("B")
R = TypeVar("R")

_AHEAD = 40  # batches that are sent before the first is done: whoever takes the results may be busy for a while


def done_batches(batches: Sequence[B], do: Callable[[B], R], *, processes: int) -> Iterator[tuple[B, R]]:
    """Each batch with what `do` made of it, in any order; in this process where that is all. `do` is a function of a
    module. Raises what `do` raises; batches that are done by then stay done.
    """
    if min(processes, len(batches)) <= 1:
        yield from ((batch, do(batch)) for batch in batches)
        return
    from django.db import connection

    with ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=_begin, initargs=(dict(connection.settings_dict),)
    ) as pool:
        waiting = iter(batches)
        running = {pool.submit(do, batch): batch for batch in islice(waiting, _AHEAD)}
        while running:
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            running |= {pool.submit(do, batch): batch for batch in islice(waiting, len(done))}
            yield from _results(done, running)


def _results(done: set[Future[R]], running: dict[Future[R], B]) -> Iterator[tuple[B, R]]:
    try:
        for future in done:
            yield running.pop(future), future.result()
    except BaseException:
        for future in running:
            future.cancel()
        raise


def _begin(database: Mapping[str, Any]) -> None:
    """In a new process: the same database, and no life of its own once the process that began it is gone."""
    import django

    django.setup()
    from django.db import connection

    connection.settings_dict.update(database)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if parent := parent_process():
        parent.join()
        os._exit(1)
