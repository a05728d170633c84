"""django-q2's broker on the Redis server, with the database's behind it."""

from typing import Any

from django.conf import settings
from django_q.brokers.orm import ORM

from knowledgetree.redis_server.connection import RedisAway, redis_server

_WAIT_SECONDS = 1


class RedisQueue(ORM):  # type: ignore[misc]
    """A task goes through Redis at once; while Redis is away through the table, as without it. Both are read, so that
    neither what waits in the table when Redis comes back nor what Redis kept is forgotten.

    A worker that is killed loses what it had taken out of Redis: jobs and messages are rows, and are sent anew
    (`ingestion.jobs.recovery`, `knowledgetree.webhooks.sending`).
    """

    def __init__(self, list_key: str | None = None) -> None:
        super().__init__(list_key=list_key)
        self._server = redis_server(settings.REDIS_URL)

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state)
        self._server = redis_server(settings.REDIS_URL)

    @property
    def _list(self) -> str:
        return f"knowledgetree:queue:{self.list_key}"

    def enqueue(self, task: str) -> Any:
        try:
            return self._server.ask(lambda client: client.rpush(self._list, task))
        except RedisAway:
            return super().enqueue(task)

    def dequeue(self) -> Any:
        """Tasks with the numbers of their rows, None for what Redis had; None after a while without any."""
        try:
            taken: Any = self._server.ask(lambda client: client.blpop([self._list], timeout=_WAIT_SECONDS))
        except RedisAway:
            return super().dequeue()
        if taken:
            return [(None, taken[1].decode())]
        return super().dequeue() if super().queue_size() else None

    def queue_size(self) -> int:
        return int(super().queue_size()) + self._waiting()

    def purge_queue(self) -> Any:
        try:
            self._server.ask(lambda client: client.delete(self._list))
        except RedisAway:
            return super().purge_queue()
        return super().purge_queue()

    def _waiting(self) -> int:
        try:
            return int(self._server.ask(lambda client: client.llen(self._list)))
        except RedisAway:
            return 0
