"""How often an endpoint is asked, and how long to wait when it does not answer."""

import random
import threading
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """`retries` after the first try. Waits begin near `backoff` seconds and double; none is longer than `longest`."""

    retries: int = 5
    backoff: float = 0.5
    longest: float = 60.0

    def wait_before(self, retry: int, *, asked: float | None) -> float | None:
        """Seconds before the `retry`-th retry (from 1); None: give up.

        `asked` is what the server asked for (Retry-After). Otherwise exponential with jitter, so that workers
        which failed together do not come back together.
        """
        if retry > self.retries or (asked is not None and asked > self.longest):
            return None
        if asked is not None:
            return asked
        ceiling = min(self.longest, self.backoff * 2.0 ** (retry - 1))
        return ceiling * random.uniform(0.5, 1.0)  # noqa: S311


class RateLimit:
    """At most `per_minute` requests a minute from this process, evenly spaced; 0: no limit."""

    def __init__(self, per_minute: int) -> None:
        self._interval = 60.0 / per_minute if per_minute else 0.0
        self._next = 0.0
        self._lock = threading.Lock()

    def wait(self) -> None:
        with self._lock:
            slot = max(time.monotonic(), self._next)
            self._next = slot + self._interval
        time.sleep(max(0.0, slot - time.monotonic()))


def retry_after(header: str | None) -> float | None:
    """Seconds that the header Retry-After asks for: a number, or a date (RFC 9110, 10.2.3). None: it asks nothing."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
