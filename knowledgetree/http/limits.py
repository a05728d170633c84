"""Rates that hold in all web processes together, whatever a cache forgets: counted on Redis, where there is one, and in
the database.
"""

import math
from contextlib import nullcontext
from typing import Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import ScopedRateThrottle, SimpleRateThrottle

from knowledgetree.http.allowances import DatabaseAllowances, Spending, spending_of
from knowledgetree.postgres.optional import optional_write
from knowledgetree.redis_server.allowances import RedisAllowances
from knowledgetree.redis_server.connection import RedisAway, redis_server


class SharedRateThrottle(SimpleRateThrottle):
    """Django REST framework's throttle, except that all processes count together. What is refused does not count.

    Where neither Redis nor the database can count, everybody is let through, unless the limit is `strict`: then nobody
    is.
    """

    num_requests: int
    duration: int
    strict = False

    def allow_request(self, request: Request, view: Any) -> bool:
        self._wait = 0.0
        named = self.get_cache_key(request, view) if self.rate else None
        if named is None:
            return True
        self._spending = spending_of(f"{named} {self.rate}", most=self.num_requests, seconds=self.duration)
        with nullcontext() if self.strict else optional_write("a count of a limit"):
            self._wait = _spend(self._spending)
        return not self._wait

    def wait(self) -> float:
        return self._wait

    def give_back(self) -> None:
        """What was allowed last shall not have counted."""
        try:
            _redis().give_back(self._spending)
        except RedisAway:
            DatabaseAllowances().give_back(self._spending)

    @property
    def seconds_to_wait(self) -> int:
        return max(1, math.ceil(self._wait))


class ScopedLimit(ScopedRateThrottle, SharedRateThrottle):
    """The limit of an API view by its `throttle_scope`."""


def _spend(spending: Spending) -> float:
    try:
        return _redis().claim(spending)
    except RedisAway:
        return DatabaseAllowances().claim(spending)


def _redis() -> RedisAllowances:
    """Raises RedisAway where none is configured."""
    if not settings.REDIS_URL:
        raise RedisAway
    return RedisAllowances(redis_server(settings.REDIS_URL))
