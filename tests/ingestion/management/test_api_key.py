"""Keys from the command line."""

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.core.management.base import CommandError

from ingestion.models import ApiKey, Collection
from ingestion.services.api_keys import digest_of

MAKE = ("api_key", "make", "intranet", "--user", "pracownik", "--scope", "search", "ask")


@pytest.fixture(autouse=True)
def account(db: None) -> User:
    return User.objects.create_user("pracownik")


def test_a_new_key_is_printed_and_listed_without_its_secret(
    capsys: pytest.CaptureFixture[str], internal: Collection
) -> None:
    call_command(*MAKE, "--collection", internal.slug, "--days", "30", "--rate", "60/min")
    secret = capsys.readouterr().out.split()[-1]
    key = ApiKey.objects.get(digest=digest_of(secret))
    assert (key.scopes, key.rate, key.bound) == (["ask", "search"], "60/min", True)
    assert key.expires is not None
    call_command("api_key", "list")
    listed = capsys.readouterr().out
    assert key.prefix in listed
    assert secret not in listed


def test_a_key_is_replaced_and_revoked_by_its_beginning(capsys: pytest.CaptureFixture[str]) -> None:
    call_command(*MAKE)
    key = ApiKey.objects.get()
    call_command("api_key", "replace", key.prefix)
    assert ApiKey.objects.count() == 2
    call_command("api_key", "revoke", key.prefix)
    key.refresh_from_db()
    assert key.revoked is not None
    with pytest.raises(CommandError, match=key.prefix):
        call_command("api_key", "revoke", key.prefix)


@pytest.mark.parametrize(
    "wrong",
    [("--user", "nikt"), ("--collection", "nie-ma"), ("--rate", "szybko")],
    ids=["account", "collection", "rate"],
)
def test_what_is_wrong_is_said_and_nothing_is_made(wrong: tuple[str, str]) -> None:
    with pytest.raises(CommandError):
        call_command(*MAKE, *wrong)
    assert not ApiKey.objects.exists()
