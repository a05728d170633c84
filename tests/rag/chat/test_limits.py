"""How often one may ask."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import AnonymousUser
from django.db import connections
from django.http import HttpRequest
from django.test import AsyncClient, Client, RequestFactory
from django.utils import timezone
from pytest_django import Settings

from ingestion.models import Collection
from knowledgetree.http.allowances import forget_spent
from knowledgetree.models import Allowance
from rag.chat.limits import SearchLimit
from rag.models import Exchange
from tests.conftest import AddDocument

QUESTION = "Ile dni urlopu przysługuje pracownikowi?"


@pytest.fixture
def one_question_a_minute(settings: Settings, public: Collection, index: AddDocument) -> None:
    index(public, "Pracownikowi przysługuje 26 dni urlopu.")
    rates = {"ask": "1/min", "search": "600/min"}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}


@pytest.mark.usefixtures("one_question_a_minute")
def test_a_question_too_many_is_refused_on_the_page(client: Client) -> None:
    assert client.post("/ask/", {"question": QUESTION}).status_code == 302
    refused = client.post("/ask/", {"question": QUESTION})
    assert refused.status_code == 429
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    assert 'role="alert"' in refused.content.decode()
    assert QUESTION in refused.content.decode()
    assert Exchange.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("one_question_a_minute")
def test_a_question_too_many_is_refused_in_the_stream() -> None:
    @async_to_sync
    async def stream() -> tuple[Any, str]:
        response: Any = await AsyncClient().post("/ask/stream/", {"question": QUESTION})
        return response, b"".join([piece async for piece in response.streaming_content]).decode()

    assert stream()[0].status_code == 200
    response, body = stream()
    assert response.status_code == 429
    assert 0 < int(response.headers["Retry-After"]) <= 60
    assert "event: failed" in body
    assert '"code": "throttled"' in body
    assert "event: completed" not in body


def somebody() -> HttpRequest:
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    return request


@pytest.mark.django_db(transaction=True)
def test_many_at_once_are_allowed_no_more_than_one_after_the_other() -> None:
    def asked(_: int) -> bool:
        try:
            limit = SearchLimit()
            limit.rate, limit.num_requests = "7/min", 7
            return limit.allow_request(somebody(), None)  # type: ignore[arg-type]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(max_workers=8) as readers:
        assert sum(readers.map(asked, range(40))) == 7


@pytest.mark.django_db
def test_what_is_refused_does_not_make_the_wait_longer() -> None:
    limits = [SearchLimit() for _ in range(20)]
    for limit in limits:
        limit.rate, limit.num_requests = "1/min", 1
    allowed = [limit.allow_request(somebody(), None) for limit in limits]  # type: ignore[arg-type]
    assert allowed == [True] + [False] * 19
    assert 0 < limits[-1].seconds_to_wait <= 60


@pytest.mark.django_db
def test_what_is_earned_again_is_forgotten() -> None:
    SearchLimit().allow_request(somebody(), None)  # type: ignore[arg-type]
    assert forget_spent() == 0
    Allowance.objects.update(until=timezone.now())
    assert forget_spent() == 1
