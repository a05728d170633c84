"""Nobody guesses a password or a code, by whatever page."""

from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.core.cache import caches
from django.http import HttpRequest
from django.test import Client, RequestFactory
from pytest_django import Settings

from knowledgetree.identity.limits import LoginLimit


def _somebody() -> HttpRequest:
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    return request


def attempt(client: Client, address: str, password: str, username: str = "pracownik") -> Any:
    return client.post(address, {"login": username, "password": password})


def test_passwords_cannot_be_guessed_on_and_on(client: Client, employee: User, settings: Settings) -> None:
    settings.LOGIN_RATE = "3/min"
    for _ in range(3):
        assert attempt(client, "/login/", "nie").status_code == 200
    response = attempt(client, "/login/", "haslo")
    assert response.status_code == 429
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


def test_the_administration_has_no_door_of_its_own(client: Client, superuser: User, employee: User) -> None:
    door = client.get("/admin/", follow=True).redirect_chain[-1][0]
    assert door == "/login/?next=/admin/"
    assert attempt(client, "/admin/login/", "haslo", username="szefowa").headers["Location"].startswith("/login/")
    assert "_auth_user_id" not in client.session
    assert attempt(client, door, "haslo", username="szefowa").headers["Location"] == "/admin/"
    assert client.get("/admin/login/?next=/admin/").headers["Location"] == "/admin/"
    client.force_login(employee)
    assert client.get("/admin/login/").status_code == 403


def test_a_limit_holds_whatever_the_cache_forgets(client: Client, employee: User, settings: Settings) -> None:
    settings.LOGIN_RATE = "3/min"
    for _ in range(3):
        attempt(client, "/login/", "nie")
    for number in range(330):  # more than the cache has room for
        LoginLimit(f"ktos-{number}").allow_request(_somebody(), None)  # type: ignore[arg-type]
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
