"""Asking again what may go better, for a reader who waits: the SDKs would obey any `retry-after`, an hour included."""

import random
import time
from collections.abc import Callable
from typing import Any, TypeVar

from rag.llm.failures import kind_of, may_pass, status_of, was_late

R = TypeVar("R")

LONGEST_WAIT = 10.0
"""Seconds. A server that asks for more is not asked again."""

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0


def persistent(send: Callable[[], R], *, retries: int) -> R:
    """What `send` returns, asked again at most `retries` times while it fails for a reason that may pass.

    The pauses grow and vary, or are as long as the server says. What was late is not asked again. Raises what the last
    `send` raised.
    """
    for attempt in range(retries):
        try:
            return send()
        except Exception as error:
            if not is_worth_repeating(error):
                raise
            time.sleep(_pause(error, attempt))
    return send()


def is_worth_repeating(error: BaseException | None) -> bool:
    """Whether the request may succeed within LONGEST_WAIT seconds."""
    if error is None or was_late(error):
        return False
    response = getattr(error, "response", None)
    if response is None:
        return type(error).__name__ == "APIConnectionError"
    if response.headers.get("x-should-retry") == "false" or _wanted_wait(response) > LONGEST_WAIT:
        return False
    return may_pass(status_of(error), kind_of(error))


def _wanted_wait(response: Any) -> float:
    """Seconds that the server asks for; a date, which no known one sends, is as good as never."""
    try:
        return float(response.headers.get("retry-after", 0))
    except ValueError:
        return LONGEST_WAIT + 1


def _pause(error: Exception, attempt: int) -> float:
    response = getattr(error, "response", None)
    wanted = _wanted_wait(response) if response is not None else 0.0
    return wanted or min(_FIRST_PAUSE * 2**attempt, _LONGEST_PAUSE) * random.uniform(0.75, 1.0)  # noqa: S311
