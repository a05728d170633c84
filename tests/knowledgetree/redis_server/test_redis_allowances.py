"""What a rate allows, counted on Redis; in the database while Redis is away."""

from typing import Any

import pytest
from django.test import RequestFactory

from knowledgetree.http.allowances import Allowances
from knowledgetree.identity.limits import LoginLimit
from knowledgetree.models import Allowance
from knowledgetree.redis_server.allowances import RedisAllowances
from knowledgetree.redis_server.connection import redis_server
from tests.knowledgetree.http.test_allowances import AllowancesContract
from tests.redis_server import RunningRedis, running_redis


class TestOnRedis(AllowancesContract):
    @pytest.fixture
    def allowances(self, redis: RunningRedis) -> Allowances:
        return RedisAllowances(redis_server(redis.url))


def may_sign_in() -> bool:
    return LoginLimit("ala").allow_request(RequestFactory().get("/"), None)  # type: ignore[arg-type]


@pytest.mark.django_db
def test_the_database_counts_where_redis_is_away(settings: Any) -> None:
    settings.LOGIN_RATE = "2/hour"
    with running_redis() as server:
        settings.REDIS_URL = server.url
        assert [may_sign_in() for _ in range(3)] == [True, True, False]
        assert not Allowance.objects.exists()
        server.kill()
        assert [may_sign_in() for _ in range(3)] == [True, True, False]
        assert Allowance.objects.count() == 1
