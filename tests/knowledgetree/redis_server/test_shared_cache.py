"""Values that all processes keep together, and what is done without them."""

from typing import Any

import pytest
import redis as client
from django.core.cache import caches

from knowledgetree.health import readiness
from knowledgetree.redis_server.cache import SharedCache
from knowledgetree.redis_server.environment import caches_of
from tests.redis_server import RunningRedis, running_redis


def cache_at(url: str, name: str = "default") -> SharedCache:
    options = caches_of(url)[name]
    return SharedCache(options["LOCATION"], {"KEY_PREFIX": options["KEY_PREFIX"]})


def test_what_one_process_keeps_another_has(redis: RunningRedis) -> None:
    cache_at(redis.url).set("urlop", ("26 dni", 26), 60)
    assert cache_at(redis.url).get("urlop") == ("26 dni", 26)
    assert cache_at(redis.url, "results").get("urlop") is None
    assert cache_at(redis.url).add("urlop", 1) is False
    assert cache_at(redis.url).get_many(["urlop", "inne"]) == {"urlop": ("26 dni", 26)}
    assert cache_at(redis.url).delete("urlop")
    assert cache_at(redis.url).get("urlop", "nic") == "nic"


def test_a_value_that_somebody_else_wrote_is_not_read(redis: RunningRedis, settings: Any) -> None:
    cache = cache_at(redis.url)
    cache.set("urlop", 26)
    server = client.Redis.from_url(redis.url)
    server.set(cache.make_and_validate_key("urlop"), b"x" * 32 + b"cos\nsystem\n(S'true'\ntR.")
    assert cache.get("urlop", "nic") == "nic"
    cache.set("urlop", 26)
    settings.SECRET_KEY = "inny"
    assert cache.get("urlop", "nic") == "nic"


def test_without_the_server_there_is_nothing_and_nobody_notices() -> None:
    with running_redis() as server:
        cache = cache_at(server.url)
        cache.set("urlop", 26)
        server.kill()
        cache.set("chorobowe", 33)
        assert (cache.get("urlop"), cache.add("x", 1), cache.delete("urlop")) == (None, False, False)
        cache.clear()


@pytest.mark.django_db
def test_doctor_and_health_say_that_it_is_away(settings: Any) -> None:
    with running_redis() as server:
        settings.REDIS_URL = server.url
        assert {check.name: check.well for check in readiness()}["redis"] is True
        server.kill()
        (away,) = [check for check in readiness() if check.name == "redis"]
        assert away.well is False
        assert "REDIS_URL" in away.remedy


def test_pictures_of_pages_are_written_to_no_server(redis: RunningRedis) -> None:
    assert "LocMem" in caches_of(redis.url)["pictures"]["BACKEND"]
    assert caches["pictures"] is not caches["default"]


def test_a_server_that_hangs_is_waited_for_once() -> None:
    with running_redis() as server:
        cache = cache_at(server.url)
        cache.set("urlop", 26)
        with server.stopped():
            assert cache.get("urlop") is None
        assert cache.get("urlop") is None, "it is left alone for a while"
