"""Where one is signed in, and how one stops being it."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from asgiref.sync import async_to_sync
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import AsyncClient, Client
from django.urls import reverse
from django.utils import timezone

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0"
CHROME = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0 Safari/537.36"


def browser(agent: str, address: str = "127.0.0.1") -> Client:
    client = Client(headers={"User-Agent": agent}, REMOTE_ADDR=address)
    client.post("/login/", {"login": "pracownik", "password": "haslo"})
    return client


def page(client: Client) -> str:
    return str(client.get("/account/").content.decode())


def is_in(client: Client) -> bool:
    return bool(client.get("/account/").status_code == 200)


def test_the_page_names_the_browsers(employee: User) -> None:
    here = browser(FIREFOX)
    browser(CHROME, "198.51.100.7")
    shown = page(here)
    for said in ("Firefox, Linux", "Chrome, Windows", "198.51.100.7", "ta przeglądarka"):
        assert said in shown
    assert shown.count("ta przeglądarka") == 1


def test_one_session_is_ended_and_the_others_go_on(employee: User) -> None:
    here, there, elsewhere = browser(FIREFOX), browser(CHROME), browser(CHROME)
    row = UserSession.objects.get(session_key=there.session.session_key)
    here.post(f"/account/sessions/{row.pk}/end/")
    assert [is_in(one) for one in (here, there, elsewhere)] == [True, False, True]


def test_all_other_sessions_are_ended(employee: User, superuser: User) -> None:
    here, there, stranger = browser(FIREFOX), browser(CHROME), Client()
    unnoted = browser(CHROME)
    UserSession.objects.filter(session_key=unnoted.session.session_key).delete()  # of the time before they were noted
    stranger.force_login(superuser)
    here.post("/account/sessions/others/end/")
    assert [is_in(one) for one in (here, there, unnoted, stranger)] == [True, False, False, True]


def test_nobody_ends_a_session_of_somebody_else(employee: User, superuser: User, client: Client) -> None:
    theirs = browser(FIREFOX)
    client.force_login(superuser)
    row = UserSession.objects.get()
    assert client.post(f"/account/sessions/{row.pk}/end/").status_code == 404
    assert is_in(theirs)


def test_a_session_that_ended_is_not_shown(employee: User) -> None:
    here, there = browser(FIREFOX), browser(CHROME)
    there.post("/logout/")
    assert "Chrome" not in page(here)


def test_the_last_use_is_noted_every_few_minutes(employee: User) -> None:
    here = browser(FIREFOX)
    long_ago = timezone.now() - timedelta(days=3)
    UserSession.objects.update(last_seen_at=long_ago)
    here.get("/library/")
    assert UserSession.objects.get().last_seen_at == long_ago  # just noted, when it began
    cache.clear()
    here.get("/library/")
    assert UserSession.objects.get().last_seen_at > long_ago


@pytest.mark.django_db(transaction=True)
def test_the_last_use_is_noted_where_views_are_asynchronous() -> None:
    User.objects.create_user("pracownik", password="haslo")

    @async_to_sync
    async def look() -> Any:
        client = AsyncClient()
        await client.alogin(username="pracownik", password="haslo")
        return await client.get("/account/")

    assert look().status_code == 200
    assert UserSession.objects.count() == Session.objects.count() == 1


def test_whoever_is_not_signed_in_has_no_sessions_noted(client: Client, db: None) -> None:
    client.get("/")
    assert not UserSession.objects.exists()


def test_an_administrator_signs_somebody_out_everywhere(client: Client, employee: User, superuser: User) -> None:
    here, there = browser(FIREFOX), browser(CHROME)
    client.force_login(superuser)
    client.post(reverse("admin:auth_user_changelist"), {"action": "sign_out", "_selected_action": [employee.pk]})
    assert not is_in(here)
    assert not is_in(there)


def test_a_stranger_is_led_to_the_door(client: Client, db: None) -> None:
    assert client.get("/account/").headers["Location"] == "/login/?next=/account/"
