"""The database has no room: readers get their answers, nothing of them is kept, and the readiness check tells."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from ingestion.models import Collection
from knowledgetree import readiness
from rag.models import CachedAnswer, Exchange
from tests.conftest import AddDocument
from tests.small_disk import fill, make_room, tables_on_small_disk

QUESTION = "Ile dni wynosi urlop wypoczynkowy?"
WRITTEN = (
    "rag_cachedanswer", "rag_conversation", "rag_exchange", "rag_exchangecitation", "django_session",
    "knowledgetree_allowance", "knowledgetree_auditentry",
)  # fmt: skip


@pytest.fixture
def disk(transactional_db: None) -> Iterator[Path]:
    """What asking writes to is on a full disk."""
    with tables_on_small_disk(*WRITTEN) as folder:
        fill(folder)
        yield folder


@pytest.fixture
def library(transactional_db: None, index: AddDocument) -> Collection:
    collection = Collection.objects.create(name="Publiczna", slug="publiczna", visibility="public")
    index(collection, "Urlop wypoczynkowy wynosi 26 dni.")
    return collection


@pytest.mark.slow
def test_the_api_answers_on_a_full_disk(library: Collection, disk: Path, client: Client) -> None:
    answer = client.post("/api/ask", {"question": QUESTION}, content_type="application/json")
    assert answer.status_code == 200
    assert answer.json()["citations"]
    assert not CachedAnswer.objects.exists()
    make_room(disk)
    again = client.post("/api/ask", {"question": QUESTION}, content_type="application/json")
    assert again.status_code == 200
    assert CachedAnswer.objects.count() == 1


def test_a_signed_in_reader_gets_an_answer_that_is_not_kept(
    library: Collection, client: Client, tmp_path: Path
) -> None:
    client.force_login(User.objects.create_user("pracownik", password="haslo"))
    with tables_on_small_disk("rag_cachedanswer", "rag_conversation", "rag_exchange") as disk:
        fill(disk)
        answer = client.post("/api/ask", {"question": QUESTION}, content_type="application/json")
        page = client.post(reverse("chat:ask"), {"question": QUESTION})
    assert (answer.status_code, answer.json()["exchange"]) == (200, "")
    assert answer.json()["citations"]
    assert page.status_code == 200
    assert "26 dni" in page.content.decode()
    assert "nie udało się zapisać" in page.content.decode()
    assert not Exchange.objects.exists()


def test_a_stranger_whose_session_cannot_be_written_gets_an_answer(
    library: Collection, disk: Path, client: Client
) -> None:
    page = client.post(reverse("chat:ask"), {"question": QUESTION})
    assert page.status_code == 200
    assert "26 dni" in page.content.decode()
    assert "sessionid" not in page.cookies


def test_readiness_tells_of_a_full_disk(library: Collection, disk: Path, client: Client) -> None:
    client.post("/api/ask", {"question": QUESTION}, content_type="application/json")
    check = readiness.storage()
    assert (check.name, check.well) == ("storage", False)
    assert "database" in check.detail
    assert check.remedy
    assert json.loads(client.get("/readyz").content)["status"] in {"degraded", "unready"}
    make_room(disk)
    client.post("/api/ask", {"question": QUESTION}, content_type="application/json")
    assert readiness.storage().well
