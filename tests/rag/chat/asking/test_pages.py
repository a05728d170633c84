"""The chat page without JavaScript, and whose conversations it shows."""

import json
from copy import copy
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import User
from django.test import AsyncClient, Client

from ingestion.models import Collection
from rag.models import Conversation, Exchange
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept

LEAVE = "# Urlopy\n\nPracownikowi z dziesięcioletnim stażem przysługuje 26 dni urlopu wypoczynkowego.\n"
QUESTION = "Ile dni urlopu przysługuje pracownikowi z dziesięcioletnim stażem?"


@pytest.fixture(scope="module")
def kept_leave(kept_rows: Kept) -> Collection:
    with kept_rows.writing():
        public = make_public()
        index_text(public, LEAVE, name="urlopy.md", title="Urlopy")
        return public


@pytest.fixture
def leave(kept_leave: Collection, db: None) -> Collection:
    return copy(kept_leave)


def ask(client: Client, question: str = QUESTION, **fields: object) -> str:
    response = client.post("/ask/", {"question": question, **fields})
    assert response.status_code == 302, response.content.decode()
    return response.headers["Location"]


def test_the_empty_page_asks_what_to_look_for(client: Client, leave: Collection) -> None:
    response = client.get("/")
    assert response.status_code == 200
    assert b'name="question"' in response.content


def test_a_question_by_form_leads_to_its_answer(client: Client, leave: Collection) -> None:
    address = ask(client)
    exchange = Exchange.objects.get()
    assert address == f"/c/{exchange.conversation_id}/#{exchange.pk}"
    shown = client.get(address).content.decode()
    assert "26 dni" in shown
    assert 'class="chip"' in shown
    assert f'id="{exchange.pk}"' in shown


def test_a_second_question_joins_the_conversation(client: Client, leave: Collection) -> None:
    ask(client)
    ask(client, conversation=str(Conversation.objects.get().pk))
    assert Conversation.objects.get().exchanges.count() == 2


def test_a_conversation_of_somebody_else_is_neither_shown_nor_continued(
    client: Client, leave: Collection, employee: User
) -> None:
    address = ask(client)
    other = Client()
    assert other.get(address).status_code == 404
    ask(other, conversation=str(Conversation.objects.get().pk))
    assert Conversation.objects.count() == 2
    other.force_login(employee)
    assert other.get(address).status_code == 404


def test_an_answer_is_hidden_once_its_sources_are_closed(client: Client, leave: Collection) -> None:
    address = ask(client)
    leave.visibility = "restricted"
    leave.save()
    shown = client.get(address).content.decode()
    assert QUESTION in shown
    assert "26 dni" not in shown


@pytest.mark.parametrize("question", ["", "   ", "x" * 3000])
def test_a_question_that_cannot_be_asked_says_why(client: Client, leave: Collection, question: str) -> None:
    response = client.post("/ask/", {"question": question})
    assert response.status_code == 200
    assert 'role="alert"' in response.content.decode()
    assert not Exchange.objects.exists()


def test_a_question_may_be_narrowed_to_collections(client: Client, leave: Collection, internal: Collection) -> None:
    empty = Collection.objects.create(name="Pusta", slug="pusta", visibility="public")
    ask(client, collections=[empty.slug])
    assert Exchange.objects.get().outcome == "not_found"


def test_what_was_not_found_shows_the_nearest_passages_after_a_reload_too(client: Client, leave: Collection) -> None:
    shown = client.get(ask(client, "Jaka jest stolica Australii według pracownika?")).content.decode()
    assert Exchange.objects.get().outcome == "not_found"
    assert "Najbliższe fragmenty" in shown
    assert 'class="chip"' not in shown


def test_asking_needs_the_token_of_the_form(leave: Collection) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/ask/", {"question": QUESTION}).status_code == 403
    assert strict.post("/ask/stream/", {"question": QUESTION}).status_code == 403


def test_the_pages_speak_the_chosen_language(client: Client, leave: Collection) -> None:
    client.post("/i18n/", {"language": "en", "next": "/"})
    assert b"What do you want to know?" in client.get("/").content


def test_signing_in_leads_to_the_chat(client: Client, employee: User) -> None:
    assert client.get("/login/").status_code == 200
    response = client.post("/login/", {"login": "pracownik", "password": "haslo"})
    assert response.headers["Location"] == "/"


def test_a_wrong_password_is_said_aloud(client: Client, employee: User) -> None:
    response = client.post("/login/", {"login": "pracownik", "password": "nie"})
    assert 'role="alert"' in response.content.decode()


@pytest.mark.django_db(transaction=True)
def test_the_stream_ends_with_the_saved_answer(public: Collection, index: AddDocument) -> None:
    index(public, LEAVE, name="urlopy.md", title="Urlopy")
    client = AsyncClient()

    @async_to_sync
    async def stream() -> tuple[Any, str]:
        response: Any = await client.post(
            "/ask/stream/", {"question": QUESTION}, headers={"accept-language": "en", "x-request-id": "abc"}
        )
        return response, b"".join([piece async for piece in response.streaming_content]).decode()

    response, body = stream()
    assert response.headers["Content-Type"].startswith("text/event-stream")
    assert response.headers["X-Accel-Buffering"] == "no"
    blocks = body.split("\n\n")
    events = [block.removeprefix("event: ").split("\n")[0] for block in blocks if block.startswith("event: ")]
    assert events[0] == "started"
    assert events[-2:] == ["completed", "saved"]
    saved = json.loads(blocks[-2].split("data: ")[1])
    assert "Why this source?" in body
    exchange = Exchange.objects.get(pk=saved["exchange_id"])
    assert exchange.trace_id == "abc"
    assert exchange.conversation.session_key == client.session.session_key


def test_browsers_find_the_icon_where_they_look_for_it(client: Client) -> None:
    assert client.get("/favicon.ico").headers["Location"] == "/static/icons/tree.svg"
