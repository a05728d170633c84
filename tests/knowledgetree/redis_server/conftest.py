from collections.abc import Iterator

import pytest

from tests.redis_server import RunningRedis, running_redis


@pytest.fixture(scope="package")
def redis() -> Iterator[RunningRedis]:
    with running_redis() as server:
        yield server
