"""Keys are made in the admin: told once, for the own account unless a superuser makes them."""

import re

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from ingestion.models import ApiKey
from ingestion.services.api_keys import create_key, digest_of
from tests.ingestion.api.library import Library

LIST = reverse("admin:ingestion_apikey_changelist")
ADD = reverse("admin:ingestion_apikey_add")


def told(page: str) -> list[str]:
    return re.findall(r"kt_[\w-]{43}", page)


def make(client: Client, owner: User, **fields: object) -> str:
    form = {"name": "intranet", "owner": owner.pk, "scopes": ["search", "ask"], **fields}
    return client.post(ADD, form, follow=True).content.decode()


@pytest.fixture
def editor(library: Library) -> User:
    user = library.viewers["editor"]
    assert isinstance(user, User)
    return user


def act(client: Client, action: str, key: ApiKey) -> str:
    return client.post(LIST, {"action": action, "_selected_action": [key.pk]}, follow=True).content.decode()


def test_a_key_is_told_once(library: Library, editor: User) -> None:
    client = library.client("superuser")
    (secret,) = told(make(client, editor, collections=[library.collections["internal"].pk], rate="60/min"))
    key = ApiKey.objects.get()
    assert (key.digest, key.owner, key.bound, key.rate) == (digest_of(secret), editor, True, "60/min")
    assert set(key.collections.all()) == {library.collections["internal"]}
    page = client.get(LIST).content.decode()
    assert key.prefix in page
    assert told(page) == []


def test_an_editor_makes_and_sees_only_keys_of_the_own_account(library: Library, editor: User) -> None:
    superuser = User.objects.get(username="superuser")
    create_key(name="obcy", owner=superuser, scopes=["admin"])
    client = library.client("editor")
    assert told(make(client, superuser)) == []
    assert len(told(make(client, editor))) == 1
    page = client.get(LIST).content.decode()
    assert "obcy" not in page
    assert "intranet" in page


def test_an_editor_cannot_name_a_collection_that_is_closed_to_them(library: Library, editor: User) -> None:
    assert told(make(library.client("editor"), editor, collections=[library.collections["restricted"].pk])) == []


def test_only_a_superuser_makes_a_key_that_acts_for_others(library: Library, editor: User) -> None:
    scopes = ["ask", "act_as"]
    assert told(make(library.client("editor"), editor, scopes=scopes)) == []
    assert "act_as" not in library.client("editor").get(ADD).content.decode()
    assert len(told(make(library.client("superuser"), editor, scopes=scopes))) == 1


def test_the_permission_is_needed(library: Library, editor: User) -> None:
    editor.user_permissions.remove(*Permission.objects.filter(codename__endswith="apikey"))
    client = library.client("editor")
    assert client.get(ADD).status_code == 403
    assert client.get(LIST).status_code == 403


def test_a_key_is_replaced_and_revoked_from_the_list(library: Library, editor: User) -> None:
    key, _secret = create_key(name="intranet", owner=editor, scopes=["search"])
    client = library.client("superuser")
    assert len(told(act(client, "replace", key))) == 1
    key.refresh_from_db()
    assert key.expires is not None
    act(client, "revoke", key)
    key.refresh_from_db()
    assert key.revoked is not None
    assert told(act(client, "replace", key)) == []


def test_what_a_key_opens_is_not_changed_afterwards(library: Library, editor: User) -> None:
    key, _secret = create_key(name="intranet", owner=editor, scopes=["search"])
    address = reverse("admin:ingestion_apikey_change", args=[key.pk])
    library.client("superuser").post(address, {"name": "inny", "owner": editor.pk, "scopes": ["admin"]})
    key.refresh_from_db()
    assert (key.name, key.scopes) == ("intranet", ["search"])
