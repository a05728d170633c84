"""Which assistants a reader can choose, and that the choice stays with the conversation."""

from copy import copy

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ingestion.models import Collection
from rag.models import Assistant, Conversation, Exchange
from tests.conftest import index_text, make_public
from tests.kept import Kept

pytestmark = pytest.mark.django_db
QUESTION = "Ile dni urlopu przysługuje pracownikowi?"


@pytest.fixture(scope="module")
def kept_leave(kept_rows: Kept) -> Collection:
    with kept_rows.writing():
        public = make_public()
        index_text(public, "# Urlopy\n\nPracownikowi przysługuje 26 dni urlopu.\n", name="urlopy.md", title="Urlopy")
        return public


@pytest.fixture
def leave(kept_leave: Collection, db: None) -> Collection:
    return copy(kept_leave)


def assistant(name: str, *collections: Collection, **fields: object) -> Assistant:
    created = Assistant.objects.create(name=name, slug=name.lower(), description=f"Opis {name}", **fields)
    created.collections.set(collections)
    return created


def test_an_assistant_of_closed_collections_is_not_offered(
    client: Client, leave: Collection, restricted: Collection, member: User
) -> None:
    assistant("Otwarty")
    assistant("Mieszany", leave, restricted)
    assistant("Poufny", restricted)
    assistant("Wylaczony", enabled=False)
    page = client.get("/").content.decode()
    assert "Opis Otwarty" in page
    assert "Opis Mieszany" in page
    assert "Poufny" not in page
    assert "Wylaczony" not in page
    client.force_login(member)
    assert "Opis Poufny" in client.get("/").content.decode()


def test_an_assistant_that_is_not_offered_cannot_be_forced(
    client: Client, leave: Collection, restricted: Collection
) -> None:
    assistant("Poufny", restricted)
    assert client.post("/ask/", {"question": QUESTION, "assistant": "poufny"}).status_code == 400
    assert not Exchange.objects.exists()


def test_without_assistants_there_is_nothing_to_choose(client: Client, leave: Collection) -> None:
    assert 'name="assistant"' not in client.get("/").content.decode()


def test_the_conversation_keeps_who_answered_last(client: Client, leave: Collection) -> None:
    chosen = assistant("Kadrowy", leave)
    address = client.post("/ask/", {"question": QUESTION, "assistant": "kadrowy"}).headers["Location"]
    conversation = Conversation.objects.get()
    assert conversation.assistant == chosen
    assert '<option value="kadrowy" data-hint="Opis Kadrowy" title="Opis Kadrowy" selected>' in " ".join(
        client.get(address).content.decode().split()
    )
    client.post("/ask/", {"question": QUESTION, "assistant": "", "conversation": str(conversation.pk)})
    conversation.refresh_from_db()
    assert conversation.assistant is None
