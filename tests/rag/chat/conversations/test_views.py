"""Renaming, deleting and turning sharing on, by their owner alone."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from rag.models import Conversation
from tests.rag.chat.conversations.talks import said, talk

pytestmark = pytest.mark.django_db


@pytest.fixture
def own(client: Client, employee: User) -> Conversation:
    client.force_login(employee)
    conversation = talk(employee, "Urlopy")
    said(conversation, "Ile dni urlopu?")
    return conversation


def test_a_conversation_is_renamed_and_keeps_its_place(client: Client, own: Conversation) -> None:
    response = client.post(f"/c/{own.pk}/rename/", {"title": "  Urlopy\n 2026 "})
    assert response.headers["Location"] == f"/c/{own.pk}/"
    renamed = Conversation.objects.get()
    assert renamed.title == "Urlopy 2026"
    assert renamed.modified == own.modified


@pytest.mark.parametrize("title", ["", "   ", "x" * 201])
def test_a_name_that_is_none_is_refused_with_the_reason(client: Client, own: Conversation, title: str) -> None:
    response = client.post(f"/c/{own.pk}/rename/", {"title": title})
    assert response.status_code == 400
    assert 'role="alert"' in response.content.decode()
    assert Conversation.objects.get().title == "Urlopy"


def test_deleting_asks_first_and_takes_everything(client: Client, own: Conversation, employee: User) -> None:
    other = talk(employee, "Inna")
    assert "Urlopy" in client.get(f"/c/{own.pk}/delete/").content.decode()
    assert Conversation.objects.count() == 2
    response = client.post(f"/c/{own.pk}/delete/", {"next": f"/c/{other.pk}/"})
    assert response.headers["Location"] == f"/c/{other.pk}/"
    assert Conversation.objects.get() == other
    assert client.post(f"/c/{other.pk}/delete/", {"next": f"/c/{other.pk}/"}).headers["Location"] == "/"


@pytest.mark.parametrize("address", ["https://zlo.example/", "//zlo.example", "javascript:alert(1)"])
def test_nobody_is_sent_to_another_site(client: Client, own: Conversation, address: str) -> None:
    assert client.post(f"/c/{own.pk}/delete/", {"next": address}).headers["Location"] == "/"


@pytest.mark.parametrize("page", ["rename/", "delete/", "share/", "export.md", "export.json"])
def test_what_is_somebody_elses_does_not_exist(own: Conversation, member: User, page: str) -> None:
    other = Client()
    other.force_login(member)
    address = f"/c/{own.pk}/{page}"
    if page != "share/":
        assert other.get(address).status_code == 404
    if not page.startswith("export"):
        assert other.post(address, {"title": "Moje", "shared": "1"}).status_code == 404
    kept = Conversation.objects.get()
    assert (kept.title, kept.shared) == ("Urlopy", None)


def test_sharing_is_turned_on_and_off(client: Client, own: Conversation) -> None:
    address = f"/s/{own.pk}/"
    assert client.get(address).status_code == 404
    client.post(f"/c/{own.pk}/share/", {"shared": "1"})
    assert client.get(address).status_code == 200
    assert address in client.get(f"/c/{own.pk}/").content.decode()
    client.post(f"/c/{own.pk}/share/", {"shared": "0"})
    assert client.get(address).status_code == 404
    assert Conversation.objects.get().modified == own.modified


def test_an_anonymous_reader_cannot_share(client: Client) -> None:
    client.get("/")
    session = client.session
    session.save()
    conversation = talk(None, "Niczyja", session_key=session.session_key)
    client.cookies["sessionid"] = str(session.session_key)
    assert client.get(f"/c/{conversation.pk}/").status_code == 200
    response = client.post(f"/c/{conversation.pk}/share/", {"shared": "1"})
    assert response.headers["Location"].startswith("/login/")
    assert not Conversation.objects.get().shared


def test_forms_need_their_token(own: Conversation, employee: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(employee)
    for page in ("rename/", "delete/", "share/"):
        assert strict.post(f"/c/{own.pk}/{page}", {"title": "x"}).status_code == 403
