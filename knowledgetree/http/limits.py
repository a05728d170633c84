"""Rates that hold in all web processes together, whatever a cache forgets: counted in the database.

A rate of "10/min" lets ten through at once and one more every six seconds (the generic cell rate algorithm, ITU-T
I.371). All that has to be known of somebody is one moment, so counting is one statement, and of parallel requests each
counts.
"""

import hashlib
import math
from contextlib import nullcontext
from datetime import timedelta
from typing import Any

from django.db import connection
from rest_framework.request import Request
from rest_framework.throttling import ScopedRateThrottle, SimpleRateThrottle

from knowledgetree.postgres.optional import optional_write

# No row comes back where the allowance is spent; nothing is written then either.
_SPEND = """
INSERT INTO knowledgetree_allowance AS a (key, until) VALUES (%(key)s, clock_timestamp() + %(each)s)
ON CONFLICT (key) DO UPDATE SET until = greatest(a.until, clock_timestamp()) + %(each)s
WHERE greatest(a.until, clock_timestamp()) + %(each)s <= clock_timestamp() + %(whole)s
RETURNING key
"""
_WAIT = """
SELECT extract(epoch FROM until + %(each)s - clock_timestamp() - %(whole)s)
FROM knowledgetree_allowance WHERE key = %(key)s
"""
_GIVE_BACK = "UPDATE knowledgetree_allowance SET until = until - %(each)s WHERE key = %(key)s"
_FORGET = "DELETE FROM knowledgetree_allowance WHERE until < clock_timestamp()"


class SharedRateThrottle(SimpleRateThrottle):
    """Django REST framework's throttle, except that it counts in the database. What is refused does not count.

    Where the database cannot write, everybody is let through, unless the limit is `strict`: then nobody is.
    """

    num_requests: int
    duration: int
    strict = False

    def allow_request(self, request: Request, view: Any) -> bool:
        self._wait = 0.0
        named = self.get_cache_key(request, view) if self.rate else None
        if named is None:
            return True
        self._spending = _spending(f"{named} {self.rate}", self.num_requests, self.duration)
        allowed = True
        with nullcontext() if self.strict else optional_write("a count of a limit"), connection.cursor() as cursor:
            cursor.execute(_SPEND, self._spending)
            allowed = cursor.fetchone() is not None
            if not allowed:
                cursor.execute(_WAIT, self._spending)
                self._wait = max(0.0, float((cursor.fetchone() or [0])[0]))
        return allowed

    def wait(self) -> float:
        return self._wait

    def give_back(self) -> None:
        """What was allowed last shall not have counted."""
        with connection.cursor() as cursor:
            cursor.execute(_GIVE_BACK, self._spending)

    @property
    def seconds_to_wait(self) -> int:
        return max(1, math.ceil(self._wait))


class ScopedLimit(ScopedRateThrottle, SharedRateThrottle):
    """The limit of an API view by its `throttle_scope`."""


def forget_spent() -> int:
    """Delete what means nothing any more; how many rows."""
    with connection.cursor() as cursor:
        cursor.execute(_FORGET)
        return int(cursor.rowcount)


def _spending(key: str, most: int, seconds: int) -> dict[str, Any]:
    """The parameters: `each` is what one costs of the `whole` period."""
    whole = timedelta(seconds=seconds)
    return {"key": hashlib.sha256(key.encode()).hexdigest(), "each": whole / most, "whole": whole}
