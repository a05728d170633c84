"""Keys that readers make for their own programs."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from ingestion.models import ApiKey, Collection
from ingestion.services.api_keys import create_key
from rag.chat.account.keys import MOST_KEYS


def make(client: Client, **fields: Any) -> Any:
    return client.post("/account/keys/new/", {"name": "skrypt", "scopes": ["search"], "days": "90", **fields})


def secret_in(response: Any) -> str:
    found = re.search(r'class="secret">(kt_[\w-]+)<', response.content.decode())
    assert found
    return found.group(1)


def test_a_key_is_told_once_and_searches_what_its_owner_may(
    client: Client, member: User, public: Collection, internal: Collection, restricted: Collection
) -> None:
    client.force_login(member)
    response = make(client, scopes=["search", "documents:read"], collections=[restricted.pk])
    assert "no-store" in response.headers["Cache-Control"]
    secret = secret_in(response)
    assert secret not in client.get("/account/").content.decode()
    seen = Client().get("/api/collections", headers={"Authorization": f"Bearer {secret}"})
    key = ApiKey.objects.get()
    assert (key.owner, key.scopes, list(key.collections.all())) == (
        member, ["documents:read", "search"], [restricted],
    )  # fmt: skip
    assert timedelta(days=89) < key.expires - timezone.now() < timedelta(days=91)  # type: ignore[operator]
    assert [one["slug"] for one in seen.json()["results"]] == ["poufna"]


def test_collections_that_one_may_not_read_are_not_to_be_chosen(
    client: Client, employee: User, restricted: Collection
) -> None:
    client.force_login(employee)
    assert "Poufna" not in client.get("/account/keys/new/").content.decode()
    make(client, collections=[restricted.pk])
    assert not ApiKey.objects.exists()


@pytest.mark.parametrize(("staff", "scope", "made"), [
    (False, "documents:write", False), (True, "documents:write", True), (False, "admin", False), (True, "admin", False),
])  # fmt: skip
def test_scopes_that_open_nothing_are_not_offered(
    client: Client, employee: User, staff: bool, scope: str, made: bool
) -> None:
    User.objects.filter(pk=employee.pk).update(is_staff=staff)
    client.force_login(employee)
    make(client, scopes=[scope])
    assert ApiKey.objects.exists() == made


def test_a_revoked_key_opens_nothing(client: Client, employee: User, public: Collection) -> None:
    client.force_login(employee)
    secret = secret_in(make(client, scopes=["documents:read"]))
    knock = {"Authorization": f"Bearer {secret}"}
    assert Client().get("/api/collections", headers=knock).status_code == 200
    client.post(f"/account/keys/{ApiKey.objects.get().pk}/revoke/")
    assert Client().get("/api/collections", headers=knock).status_code == 401


def test_nobody_sees_or_revokes_a_key_of_somebody_else(client: Client, employee: User, superuser: User) -> None:
    key, _secret = create_key(name="cudzy", owner=superuser, scopes=["ask"])
    client.force_login(employee)
    assert "cudzy" not in client.get("/account/").content.decode()
    assert client.post(f"/account/keys/{key.pk}/revoke/").status_code == 404
    key.refresh_from_db()
    assert key.is_valid()


def test_there_is_an_end_to_keys(client: Client, employee: User) -> None:
    for number in range(MOST_KEYS):
        create_key(name=str(number), owner=employee, scopes=["ask"])
    client.force_login(employee)
    assert "Unieważnij któryś" in make(client).content.decode()
    assert ApiKey.objects.count() == MOST_KEYS


def test_where_it_is_not_wanted_only_those_make_keys_who_may(
    client: Client, employee: User, settings: Settings
) -> None:
    settings.OWN_KEYS = False
    client.force_login(employee)
    assert "Nowy klucz" not in client.get("/account/").content.decode()
    assert make(client).status_code == 403
    employee.user_permissions.add(Permission.objects.get(codename="add_apikey"))
    assert make(client).status_code == 200
    assert ApiKey.objects.count() == 1


def test_without_an_account_there_are_no_keys(client: Client, db: None) -> None:
    assert make(client).headers["Location"].startswith("/login/")
