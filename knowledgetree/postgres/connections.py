"""Database connections given back: after a thread's work, before a long wait, and when they are broken."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection, connections

from knowledgetree.database import embedded_runs, stop_embedded


@contextmanager
def borrowed_connections() -> Iterator[None]:
    """The connections that the body opens, or a function as its decorator, are closed when it ends: a thread leaves
    none open behind it, and a stream keeps none that it does not need.
    """
    try:
        yield
    finally:
        connections.close_all()


def release_connections(*, pooled_only: bool = False) -> None:
    """Give the connections of this thread back before a long wait; the next statement takes one again. Inside a
    transaction they stay. `pooled_only`: those that are had again at once, as they come out of a pool.
    """
    for one in connections.all(initialized_only=True):
        if not one.in_atomic_block and (one.settings_dict["OPTIONS"].get("pool") or not pooled_only):
            one.close()


def drop_broken_connection() -> None:
    """After an error, so that the next statement has one that works; inside a transaction that is its owner's
    business.
    """
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()


def leave_database(*, patience: float = 5.0) -> None:
    """Close the connections of this thread, and stop the embedded server unless others are connected to it."""
    connections.close_all()
    directory: Path | None = settings.DATABASES["default"].get("EMBEDDED_DIRECTORY")
    if directory is not None and embedded_runs(directory):
        stop_embedded(directory, patience=patience)
