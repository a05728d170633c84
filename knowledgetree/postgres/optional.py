"""Writes that no reader waits for: caches, conversations, sessions. A full disk costs them, and not the answer."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from django.db import connection, transaction
from django.db.utils import InterfaceError, OperationalError

from knowledgetree.postgres.connections import drop_broken_connection

log = logging.getLogger("knowledgetree.database")

_REMEMBERED = 300.0  # seconds
_failed_at: float | None = None


@contextmanager
def optional_write(what: str) -> Iterator[None]:
    """What goes wrong with the database inside goes to the log under the name `what`, and no further.

    No transaction is opened where there is none: one statement needs none, and it would cost two round trips.
    """
    try:
        with transaction.atomic() if connection.in_atomic_block else nullcontext():
            yield
    except (OperationalError, InterfaceError) as error:
        _note_failure(time.monotonic())
        log.warning("%s could not be written", what, extra={"fields": {"error": str(error).partition("\n")[0]}})
        drop_broken_connection()
    else:
        _note_failure(None)


def writes_fail() -> bool:
    """Whether the last such write of this process failed, a few minutes ago at most."""
    return _failed_at is not None and time.monotonic() - _failed_at < _REMEMBERED


def _note_failure(at: float | None) -> None:
    global _failed_at
    _failed_at = at
