"""A second factor is asked of whoever has one, by whatever way they come."""

import re
import time
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from knowledgetree.audit.models import AuditEntry
from tests.knowledgetree.identity.openid import configure, running_provider, sign_in

CODES = "/account/second-factor/codes/"


def code_of(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def enter_password(client: Client) -> Any:
    return client.post("/login/", {"login": "pracownik", "password": "haslo"})


def switch_on(client: Client) -> tuple[str, list[str]]:
    """The key and the recovery codes, as their owner sees them."""
    page = client.get("/account/second-factor/app/")
    assert page.headers["Location"].startswith("/account/again/")
    client.post(page.headers["Location"], {"password": "haslo"})
    secret = client.get("/account/second-factor/app/").context["form"].secret
    done = client.post("/account/second-factor/app/", {"code": code_of(secret)})
    assert done.headers["Location"] == CODES
    codes = re.findall(r"<code>(\d+)</code>", client.get(CODES).content.decode())
    assert len(codes) == 10
    return secret, codes


@pytest.fixture
def secured(employee: User, client: Client) -> tuple[str, list[str]]:
    enter_password(client)
    return switch_on(client)


def is_signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_the_password_alone_signs_nobody_in_any_more(secured: tuple[str, list[str]]) -> None:
    other = Client()
    assert enter_password(other).headers["Location"] == "/account/second-factor/authenticate/"
    assert not is_signed_in(other)
    assert other.get("/account/").headers["Location"].startswith("/login/")
    wrong = other.post("/account/second-factor/authenticate/", {"code": "000000"})
    assert (wrong.status_code, is_signed_in(other)) == (200, False)


def test_the_administration_asks_for_it_too(secured: tuple[str, list[str]]) -> None:
    User.objects.update(is_staff=True, is_superuser=True)
    other = Client()
    other.post("/login/?next=/admin/", {"login": "pracownik", "password": "haslo", "next": "/admin/"})
    assert other.get("/admin/").status_code == 302
    done = other.post("/account/second-factor/authenticate/", {"code": secured[1][0]})
    assert done.headers["Location"] == "/admin/"
    assert other.get("/admin/").status_code == 200


def test_a_recovery_code_opens_once(secured: tuple[str, list[str]]) -> None:
    for expected in (True, False):
        other = Client()
        enter_password(other)
        other.post("/account/second-factor/authenticate/", {"code": secured[1][0]})
        assert is_signed_in(other) == expected


def test_a_code_of_the_authenticator_opens_once(secured: tuple[str, list[str]], employee: User) -> None:
    """Whoever looks over a shoulder is half a minute late."""
    first, second = Client(), Client()
    for one in (first, second):
        enter_password(one)
    code = code_of(secured[0])  # which also switched the factor on, and is used up if the half minute is the same
    for one in (first, second):
        one.post("/account/second-factor/authenticate/", {"code": code})
    assert not is_signed_in(second)


def test_codes_cannot_be_guessed_on_and_on(secured: tuple[str, list[str]], settings: Settings) -> None:
    settings.LOGIN_FAILURE_RATE = "3/hour"
    for number in range(3):  # from elsewhere each time
        stranger = Client(REMOTE_ADDR=f"198.51.100.{number}")
        enter_password(stranger)
        stranger.post("/account/second-factor/authenticate/", {"code": "000000"})
    stranger = Client(REMOTE_ADDR="198.51.100.9")
    enter_password(stranger)
    refused = stranger.post("/account/second-factor/authenticate/", {"code": secured[1][0]})
    assert "Zbyt wiele prób" in refused.content.decode()
    assert not is_signed_in(stranger)


def test_a_wrong_code_is_a_failed_sign_in_in_the_audit_log(secured: tuple[str, list[str]]) -> None:
    other = Client()
    enter_password(other)
    assert not AuditEntry.objects.filter(action="sign_in_failed").exists()
    other.post("/account/second-factor/authenticate/", {"code": "000000"})
    assert AuditEntry.objects.filter(action="sign_in_failed", user_name="pracownik").count() == 1
    assert AuditEntry.objects.filter(action="sign_in").count() == 1  # where the factor was set up


def test_the_key_is_kept_encrypted(secured: tuple[str, list[str]]) -> None:
    kept = Authenticator.objects.get(type="totp").data["secret"]
    assert secured[0] not in kept
    assert not any(code in str(one.data) for one in Authenticator.objects.all() for code in secured[1])


def test_to_switch_it_off_takes_the_password(secured: tuple[str, list[str]], client: Client) -> None:
    stolen = Client()
    enter_password(stolen)
    stolen.post("/account/second-factor/authenticate/", {"code": secured[1][0]})
    asked = stolen.post("/account/second-factor/app/remove/")
    assert asked.headers["Location"].startswith("/account/again/")
    assert Authenticator.objects.filter(type="totp").exists()
    client.post("/account/second-factor/app/remove/")
    assert not Authenticator.objects.exists()
    other = Client()
    enter_password(other)
    assert is_signed_in(other)


@pytest.mark.django_db(transaction=True)
def test_whoever_comes_by_a_directory_is_asked_too(client: Client, settings: Settings) -> None:
    with running_provider() as provider:
        configure(settings, provider.issuer)
        provider.enter("1", preferred_username="anna")
        sign_in(client, provider, "1")
        secret = client.get("/account/second-factor/app/").context["form"].secret
        client.post("/account/second-factor/app/", {"code": code_of(secret)})
        other = Client()
        assert sign_in(other, provider, "1").headers["Location"] == "/account/second-factor/authenticate/"
    assert not is_signed_in(other)
    codes = re.findall(r"<code>(\d+)</code>", client.get(CODES).content.decode())
    other.post("/account/second-factor/authenticate/", {"code": codes[0]})
    assert is_signed_in(other)
    assert other.session.get_expiry_age() <= settings.DIRECTORY_SESSION_HOURS * 3600


def test_an_administrator_helps_whoever_lost_the_telephone(
    secured: tuple[str, list[str]], client: Client, superuser: User, employee: User
) -> None:
    desk = Client()
    desk.force_login(superuser)
    form = {"action": "remove_second_factors", "_selected_action": [employee.pk]}
    desk.post(reverse("admin:auth_user_changelist"), form)
    assert not Authenticator.objects.exists()
    assert client.get("/account/").status_code == 302


def test_a_keeper_of_accounts_does_not_take_it_from_a_superuser(
    secured: tuple[str, list[str]], employee: User, settings: Settings
) -> None:
    User.objects.filter(pk=employee.pk).update(is_superuser=True)
    keeper = User.objects.create_user("kadrowiec", is_staff=True)
    keeper.user_permissions.set(Permission.objects.filter(codename__in=["view_user", "change_user"]))
    desk = Client()
    desk.force_login(keeper)
    form = {"action": "remove_second_factors", "_selected_action": [employee.pk]}
    desk.post(reverse("admin:auth_user_changelist"), form)
    assert Authenticator.objects.exists()
