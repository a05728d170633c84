"""How often one may ask and try a password."""

from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import User
from django.test import AsyncClient, Client
from pytest_django import Settings

from ingestion.models import Collection
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
