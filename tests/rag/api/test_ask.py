import asyncio
import json
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.db import connection, connections
from django.test import AsyncClient, Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from rag.models import Assistant, Conversation, Exchange
from tests.ingestion.api.library import VISIBLE, Library, every_viewer, make_library

QUESTION = "Ile dni urlopu wypoczynkowego przysługuje pracownikowi?"


def ask(client: Client, **body: object):  # type: ignore[no-untyped-def]
    return client.post("/api/ask", {"question": QUESTION, **body}, content_type="application/json")


@every_viewer
def test_an_answer_rests_only_on_what_the_viewer_may_read(library: Library, viewer: str) -> None:
    answer = ask(library.client(viewer)).json()
    assert answer["outcome"] == "answered"
    assert {passage["collection"] for passage in answer["passages"]} <= VISIBLE[viewer]
    readable = {library.ready[slug].pk for slug in VISIBLE[viewer]}
    assert {citation["document_id"] for citation in answer["citations"]} <= readable
    assert answer["metrics"]["chunks_total"] == len(VISIBLE[viewer])


def test_only_those_who_are_signed_in_may_change_parts_of_a_preset(library: Library) -> None:
    parts = {"research": "planned"}
    refused = ask(library.client("anonymous"), parts=parts)
    assert (refused.status_code, refused.json()["code"]) == (400, "unknown_preset")
    assert ask(library.client("signed_in"), parts=parts).json()["outcome"] == "answered"


@pytest.mark.usefixtures("library")
def test_the_assistant_and_what_it_searches_are_looked_up_once(client: Client) -> None:
    Assistant.objects.create(name="Kadry", slug="kadry")
    with CaptureQueriesContext(
        connection,
    ) as asked:
        assert ask(client, assistant="kadry").json()["outcome"] == "answered"
    assistants = [query for query in asked.captured_queries if 'FROM "rag_assistant"' in query["sql"]]
    collections = [
        query for query in asked.captured_queries if query["sql"].startswith('SELECT "ingestion_collection"."id", ')
    ]
    assert (len(assistants), len(collections)) == (1, 1)


def test_every_citation_quotes_its_place_in_the_document(library: Library) -> None:
    answer = ask(library.client("anonymous")).json()
    text = library.ready["public"].extractions.get().text
    assert answer["citations"]
    for citation in answer["citations"]:
        assert text[citation["start"] : citation["end"]] == citation["quote"]
        assert f"[{citation['number']}]" in answer["text"]


def test_without_synthesis_the_passages_come_alone(library: Library) -> None:
    answer = ask(library.client("anonymous"), synthesize=False).json()
    assert answer["outcome"] == "passages_only"
    assert answer["passages"]


def test_what_a_user_asked_is_kept_and_can_be_continued(library: Library) -> None:
    client = library.client("member")
    ask(client)
    conversation = Conversation.objects.get()
    assert conversation.owner == library.viewers["member"]
    assert ask(client, conversation=str(conversation.pk)).status_code == 200
    assert conversation.exchanges.count() == 2


def test_an_answer_names_what_it_is_kept_under_where_it_is_kept(library: Library) -> None:
    answer = ask(library.client("member"), synthesize=False).json()
    exchange = Exchange.objects.get()
    assert (answer["exchange"], answer["conversation"]) == (str(exchange.pk), str(exchange.conversation_id))
    answer = ask(library.client("anonymous"), synthesize=False).json()
    assert (answer["exchange"], answer["conversation"]) == ("", "")


def test_somebody_elses_conversation_does_not_exist(library: Library) -> None:
    ask(library.client("member"))
    conversation = str(Conversation.objects.get().pk)
    for viewer in ("anonymous", "signed_in", "superuser"):
        assert ask(library.client(viewer), conversation=conversation).status_code == 404


def test_what_nobody_could_find_again_is_not_kept(library: Library) -> None:
    assert ask(library.client("anonymous")).status_code == 200
    assert not Exchange.objects.exists()


def test_a_wrong_request_is_refused_before_the_stream_begins(library: Library) -> None:
    client = library.client("anonymous")
    for body in ({"filters": {"collections": ["restricted"]}}, {"question": ""}, {"top_k": 0}):
        response = ask(client, stream=True, **body)
        assert response.status_code == 400
        assert response.headers["Content-Type"] == "application/problem+json"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("asked_by", ["header", "member"])
def test_an_answer_streams_as_events(settings: Settings, tmp_path: Path, asked_by: str) -> None:
    settings.MEDIA_ROOT = tmp_path
    library = make_library()
    header = {"Accept": "text/event-stream"} if asked_by == "header" else {}
    body = {"question": QUESTION} | ({"stream": True} if asked_by == "member" else {})

    async def stream() -> str:
        client = AsyncClient()
        user = library.viewers["member"]
        assert isinstance(user, User)
        await client.aforce_login(user)
        response = await client.post("/api/ask", body, content_type="application/json", headers=header)
        assert response.headers["Content-Type"].startswith("text/event-stream")
        text = b"".join([part async for part in response.streaming_content]).decode()
        await sync_to_async(connections.close_all)()
        return text

    messages = [part for part in asyncio.run(stream()).split("\n\n") if part.startswith("event: ")]
    names = [message.splitlines()[0].removeprefix("event: ") for message in messages]
    assert [name for name in names if name != "step"][:2] == ["started", "retrieved"]
    assert names[-2:] == ["completed", "saved"]
    completed = json.loads(messages[-2].splitlines()[1].removeprefix("data: "))
    assert completed["answer"]["outcome"] == "answered"
