"""One question has one set of pseudonyms, whichever of its steps asks a model."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from ingestion.text.personal_data.pseudonyms import Pseudonyms

_pseudonyms: ContextVar[Pseudonyms | None] = ContextVar("pseudonyms", default=None)


def pseudonyms_here() -> Pseudonyms:
    """Those of the question under way; new ones where a model is asked by itself."""
    return _pseudonyms.get() or Pseudonyms()


@contextmanager
def keep_pseudonyms() -> Iterator[None]:
    """All requests to models made inside give the same person the same stand-in. Threads need the caller's context."""
    before = _pseudonyms.get()
    _pseudonyms.set(before or Pseudonyms())  # no token: a generator may be closed in another context
    try:
        yield
    finally:
        _pseudonyms.set(before)
