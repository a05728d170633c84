"""Calls that end in time."""

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from contextvars import copy_context
from typing import TypeVar

from django.utils.translation import gettext_lazy as _

from rag.errors import LLMUnavailable
from rag.llm.protocol import Reply

R = TypeVar("R")

_calls = ThreadPoolExecutor(max_workers=32, thread_name_prefix="llm-call")


def within(seconds: float, call: Callable[[float], R]) -> R:
    """What `call(deadline)` returns; `deadline` is a `time.monotonic()` reading.

    Raises LLMUnavailable when it passes: a server can always send one more byte in time, so that only a second clock
    keeps the first. The call then ends by itself, unheard.
    """
    future = aside(call, time.monotonic() + seconds)
    try:
        return future.result(timeout=seconds)
    except TimeoutError as error:
        future.cancel()
        raise late() from error


def aside(call: Callable[[float], R], deadline: float) -> Future[R]:
    """`call(deadline)` in a thread of its own, in the caller's context."""
    return _calls.submit(copy_context().run, call, deadline)


def whole_text(reply: Reply, deadline: float, *, abandoned: Callable[[], bool] = lambda: False) -> str:
    """The text of a reply, however many pieces it came in. Raises LLMUnavailable where it is late or `abandoned`."""
    pieces = []
    with closing(iter(reply)) as arriving:
        for piece in arriving:
            if abandoned() or time.monotonic() > deadline:
                raise late()
            pieces.append(piece)
    return "".join(pieces).strip()


def late() -> LLMUnavailable:
    return LLMUnavailable(_("The language model did not answer in time."))
