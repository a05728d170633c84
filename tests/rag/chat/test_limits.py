"""How often one may ask and try a password."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import AnonymousUser, User
from django.core.cache import caches
from django.db import connections
from django.http import HttpRequest
from django.test import AsyncClient, Client, RequestFactory
from django.utils import timezone
from pytest_django import Settings

from ingestion.models import Collection
from knowledgetree.http.limits import forget_spent
from knowledgetree.models import Allowance
from rag.chat.limits import LoginLimit, SearchLimit
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


def attempt(client: Client, address: str, password: str, username: str = "pracownik") -> Any:
    return client.post(address, {"username": username, "password": password})


@pytest.mark.parametrize(("address", "refused"), [("/login/", 429), ("/admin/login/", 200)])
def test_passwords_cannot_be_guessed_on_and_on(
    client: Client, employee: User, settings: Settings, address: str, refused: int
) -> None:
    settings.LOGIN_RATE = "3/min"
    for _ in range(3):
        assert attempt(client, address, "nie").status_code == 200
    response = attempt(client, address, "haslo")
    assert response.status_code == refused
    assert "Zbyt wiele prób" in response.content.decode()
    assert "_auth_user_id" not in client.session


def test_the_attempts_of_one_name_leave_the_others_in_peace(
    client: Client, employee: User, superuser: User, settings: Settings
) -> None:
    settings.LOGIN_RATE = "1/min"
    attempt(client, "/login/", "nie")
    assert attempt(client, "/login/", "haslo", username="szefowa").status_code == 302


def test_who_guesses_locks_nobody_out_who_signs_in_from_elsewhere(
    client: Client, employee: User, settings: Settings
) -> None:
    settings.LOGIN_RATE = "1/min"
    attempt(client, "/login/", "nie")
    assert attempt(client, "/login/", "haslo").status_code == 429
    assert attempt(Client(REMOTE_ADDR="198.51.100.7"), "/login/", "haslo").status_code == 302


def test_administrators_still_sign_in(client: Client, superuser: User) -> None:
    assert attempt(client, "/admin/login/?next=/admin/", "haslo", username="szefowa").headers["Location"] == "/admin/"


def test_a_limit_holds_whatever_the_cache_forgets(client: Client, employee: User, settings: Settings) -> None:
    settings.LOGIN_RATE = "3/min"
    for _ in range(3):
        attempt(client, "/login/", "nie")
    for number in range(330):  # more than the cache has room for
        LoginLimit(f"ktos-{number}").allow_request(somebody(), None)  # type: ignore[arg-type]
    caches["default"].clear()
    assert attempt(client, "/login/", "haslo").status_code == 429


def test_one_password_is_not_tried_on_everybody(client: Client, employee: User, settings: Settings) -> None:
    settings.LOGIN_FAILURE_RATE = "5/hour"
    tried = [attempt(client, "/login/", "haslo", username=f"ktos-{number}").status_code for number in range(40)]
    assert tried == [200] * 5 + [429] * 35
    assert attempt(client, "/login/", "haslo").status_code == 429
    assert attempt(Client(REMOTE_ADDR="10.0.0.9"), "/login/", "haslo").status_code == 302  # nobody else is locked out


def test_who_signs_in_rightly_has_not_failed(client: Client, employee: User, settings: Settings) -> None:
    settings.LOGIN_FAILURE_RATE = "2/hour"
    assert [attempt(Client(), "/login/", "haslo").status_code for _ in range(5)] == [302] * 5


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
