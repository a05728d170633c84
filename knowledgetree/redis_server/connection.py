"""The connection to the Redis server that `REDIS_URL` names, and what happens while it is away."""

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import redis

CONNECT_SECONDS, ANSWER_SECONDS = 0.5, 2.0
LEFT_ALONE_SECONDS = 5.0
"""After a failure it is not asked again for so long, so that nobody waits for it again and again."""

log = logging.getLogger("knowledgetree.redis")

_Answer = TypeVar("_Answer")


class RedisAway(Exception):
    """It did not answer, or refused, now or a moment ago."""


class RedisServer:
    """Asked by any thread. `options` go to `redis.Redis.from_url`."""

    def __init__(self, url: str) -> None:
        import redis  # an extra

        self._client = redis.Redis.from_url(
            url, socket_connect_timeout=CONNECT_SECONDS, socket_timeout=ANSWER_SECONDS, health_check_interval=30
        )
        self._failures = redis.RedisError, OSError
        self._away_until = 0.0

    def ask(self, question: Callable[["redis.Redis"], _Answer]) -> _Answer:
        """What `question` gets from the client. Raises RedisAway."""
        with self.missed():
            return question(self._client)

    @contextmanager
    def missed(self) -> Iterator[None]:
        """Raises RedisAway where what is asked inside fails, and at once for a while after."""
        if time.monotonic() < self._away_until:
            raise RedisAway
        try:
            yield
        except self._failures as error:
            self._away_until = time.monotonic() + LEFT_ALONE_SECONDS
            log.warning("Redis does not answer", extra={"fields": {"error": str(error).partition("\n")[0]}})
            raise RedisAway(str(error).partition("\n")[0]) from error


@lru_cache(maxsize=4)
def redis_server(url: str) -> RedisServer:
    """The one of this process: its failures are everybody's."""
    return RedisServer(url)


def connection_options() -> dict[str, Any]:
    """For clients that others make."""
    return {"socket_connect_timeout": CONNECT_SECONDS, "socket_timeout": ANSWER_SECONDS}
