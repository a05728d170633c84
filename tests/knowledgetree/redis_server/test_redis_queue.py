"""Tasks go through Redis; while it is away through the table, and none is lost between them."""

from collections.abc import Iterator
from typing import Any

import pytest
from django_q.models import OrmQ

from knowledgetree.redis_server.connection import redis_server
from knowledgetree.redis_server.queue import RedisQueue
from tests.redis_server import RunningRedis, running_redis

pytestmark = pytest.mark.django_db


@pytest.fixture
def server(settings: Any) -> Iterator[RunningRedis]:
    with running_redis() as running:
        settings.REDIS_URL = running.url
        yield running


def test_a_task_goes_through_redis(server: RunningRedis) -> None:
    queue = RedisQueue(list_key="proba")
    queue.enqueue("jeden")
    assert not OrmQ.objects.exists()
    assert (queue.queue_size(), queue.dequeue(), queue.queue_size()) == (1, [(None, "jeden")], 0)


def test_while_redis_is_away_tasks_go_through_the_table(server: RunningRedis) -> None:
    queue = RedisQueue(list_key="proba")
    server.kill()
    queue.enqueue("jeden")
    assert queue.queue_size() == 1
    ((row, task),) = queue.dequeue()
    assert (task, OrmQ.objects.get().pk) == ("jeden", row)
    queue.acknowledge(row)
    assert not OrmQ.objects.exists()


def test_what_waits_in_the_table_is_done_once_redis_is_back(server: RunningRedis) -> None:
    queue = RedisQueue(list_key="proba")
    server.kill()
    queue.enqueue("jeden")
    server.start()
    redis_server.cache_clear()  # or it would be left alone for seconds
    queue = RedisQueue(list_key="proba")
    queue.enqueue("dwa")
    assert queue.dequeue() == [(None, "dwa")]
    assert [task for _row, task in queue.dequeue()] == ["jeden"]
