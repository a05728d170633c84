"""What somebody may still do of what a rate allows, counted in the database for all web processes together.

A rate of "10/min" lets ten through at once and one more every six seconds (the generic cell rate algorithm, ITU-T
I.371). All that has to be known of somebody is one moment, so counting is one statement, and of parallel requests each
counts.
"""

import hashlib
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Protocol

from django.db import connection

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """One time of what `whole` seconds allow; it takes `each` seconds to earn. `key` is a hash of who spends what."""

    key: str
    each: float
    whole: float


class Allowances(Protocol):
    def claim(self, spending: Spending) -> float:
        """0 where it was allowed, and counts now; otherwise, without counting, the seconds until it may be."""
        ...

    def give_back(self, spending: Spending) -> None:
        """What was allowed last shall not have counted."""
        ...


class DatabaseAllowances:
    def claim(self, spending: Spending) -> float:
        with connection.cursor() as cursor:
            cursor.execute(_SPEND, _parameters(spending))
            if cursor.fetchone() is not None:
                return 0.0
            cursor.execute(_WAIT, _parameters(spending))
            return max(1e-6, float((cursor.fetchone() or [0])[0]))

    def give_back(self, spending: Spending) -> None:
        with connection.cursor() as cursor:
            cursor.execute(_GIVE_BACK, _parameters(spending))


def spending_of(named: str, *, most: int, seconds: int) -> Spending:
    return Spending(key=hashlib.sha256(named.encode()).hexdigest(), each=seconds / most, whole=float(seconds))


def forget_spent() -> int:
    """Delete what means nothing any more; how many rows."""
    with connection.cursor() as cursor:
        cursor.execute(_FORGET)
        return int(cursor.rowcount)


def _parameters(spending: Spending) -> dict[str, Any]:
    return {
        "key": spending.key,
        "each": timedelta(seconds=spending.each),
        "whole": timedelta(seconds=spending.whole),
    }
