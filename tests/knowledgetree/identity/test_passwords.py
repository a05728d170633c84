"""Passwords: forgotten, changed, and not given to whom a directory knows. Nobody makes themselves an account."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.test import Client
from pytest_django import Settings

NEW = "zielona-lipa-91"


@pytest.fixture
def anna(employee: User, settings: Settings) -> User:
    settings.EMAIL_HOST = "poczta.example"  # the tests' backend keeps what is sent
    employee.email = "anna@urzad.example"
    employee.save()
    return employee


def ask(client: Client, email: str) -> Any:
    return client.post("/account/password/reset/", {"email": email})


def link_in(letter: EmailMessage) -> str:
    found = re.search(r"http://testserver(/\S+)", str(letter.body))
    assert found
    return found.group(1)


def test_a_forgotten_password_is_replaced_by_a_link_in_a_letter(
    client: Client, anna: User, mailoutbox: list[EmailMessage]
) -> None:
    assert "Zapomniane hasło" in client.get("/login/").content.decode()
    ask(client, "Anna@urzad.example")
    (letter,) = mailoutbox
    assert letter.to == ["anna@urzad.example"]
    assert letter.subject == "KnowledgeTree: Nowe hasło"
    assert "pracownik" in str(letter.body)
    form = client.get(link_in(letter)).headers["Location"]
    done = client.post(form, {"password1": NEW, "password2": NEW})
    assert done.headers["Location"] == "/account/password/reset/key/done/"
    anna.refresh_from_db()
    assert anna.check_password(NEW)
    again = Client().get(link_in(letter))
    assert "już nie działa" in again.content.decode()


def test_a_weak_password_is_not_taken(client: Client, anna: User, mailoutbox: list[EmailMessage]) -> None:
    ask(client, anna.email)
    form = client.get(link_in(mailoutbox[0])).headers["Location"]
    assert client.post(form, {"password1": "12345", "password2": "12345"}).status_code == 200
    anna.refresh_from_db()
    assert anna.check_password("haslo")


def test_nobody_learns_who_has_an_account(client: Client, anna: User, mailoutbox: list[EmailMessage]) -> None:
    known, unknown = ask(client, anna.email), ask(client, "nikt@urzad.example")
    assert known.headers["Location"] == unknown.headers["Location"] == "/account/password/reset/done/"
    assert len(mailoutbox) == 1


def test_nobodys_mailbox_is_filled(client: Client, anna: User, mailoutbox: list[EmailMessage]) -> None:
    for number in range(8):
        ask(Client(REMOTE_ADDR=f"198.51.100.{number}"), anna.email)
    assert len(mailoutbox) == 5


def test_whom_a_directory_knows_gets_no_password_here(
    client: Client, anna: User, mailoutbox: list[EmailMessage]
) -> None:
    anna.set_unusable_password()
    anna.save()
    ask(client, anna.email)
    assert mailoutbox == []
    client.force_login(anna)
    assert client.get("/account/password/change/").headers["Location"] == "/account/"
    client.post("/account/password/change/", {"password1": NEW, "password2": NEW})
    anna.refresh_from_db()
    assert not anna.has_usable_password()


def test_without_mail_there_is_no_such_page(client: Client, db: None) -> None:
    assert client.get("/account/password/reset/").status_code == 404
    assert "Zapomniane hasło" not in client.get("/login/").content.decode()


def change(client: Client, old: str) -> Any:
    return client.post("/account/password/change/", {"oldpassword": old, "password1": NEW, "password2": NEW})


def test_a_changed_password_signs_out_everywhere_else(client: Client, employee: User) -> None:
    elsewhere = Client()
    for one in (client, elsewhere):
        one.post("/login/", {"login": "pracownik", "password": "haslo"})
    assert change(client, "haslo").headers["Location"] == "/account/"
    assert client.get("/account/").status_code == 200
    assert elsewhere.get("/account/").status_code == 302


def test_the_old_password_is_not_found_by_trying(client: Client, employee: User, settings: Settings) -> None:
    settings.LOGIN_RATE = "2/min"
    client.force_login(employee)
    for _ in range(2):
        assert "To nie jest obecne hasło." in change(client, "nie").content.decode()
    assert "Zbyt wiele prób" in change(client, "haslo").content.decode()
    employee.refresh_from_db()
    assert employee.check_password("haslo")


def register(client: Client) -> Any:
    form = {"username": "nowa", "email": "nowa@urzad.example", "password1": NEW, "password2": NEW}
    return client.post("/account/new/", form)


def test_nobody_makes_themselves_an_account(client: Client, db: None) -> None:
    assert "Nowe konto" not in client.get("/login/").content.decode()
    assert "Konta zakłada administrator" in register(client).content.decode()
    assert not User.objects.exists()


def test_where_that_is_wanted_an_address_is_confirmed_first(
    client: Client, db: None, settings: Settings, mailoutbox: list[EmailMessage]
) -> None:
    settings.REGISTRATION, settings.ACCOUNT_EMAIL_VERIFICATION = True, "mandatory"
    settings.EMAIL_HOST = "poczta.example"
    assert register(client).headers["Location"] == "/account/new/sent/"
    stranger = Client()
    stranger.post("/login/", {"login": "nowa", "password": NEW})
    assert "_auth_user_id" not in stranger.session
    link = link_in(mailoutbox[0])
    assert "Potwierdź adres" in client.get(link).content.decode()
    client.post(link)
    client.post("/login/", {"login": "nowa", "password": NEW})
    assert "_auth_user_id" in client.session
