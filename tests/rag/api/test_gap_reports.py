"""Reports of gaps over the API."""

import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from ingestion.models import Collection
from rag.models import Exchange, GapReport
from tests.rag.chat.conversations.talks import said, talk

pytestmark = pytest.mark.django_db


@pytest.fixture
def exchange(client: Client, employee: User, public: Collection) -> Exchange:
    client.force_login(employee)
    return said(talk(employee), "Gdzie jest kwarcolit?", "Nie.", collections=(public,), outcome="not_found")


def send(client: Client, **body: object) -> Any:
    return client.post("/api/gap-reports", body, content_type="application/json")


def test_a_second_report_gives_the_first(client: Client, exchange: Exchange) -> None:
    first = send(client, exchange=str(exchange.pk), comment="Złoże w Lipowie.")
    assert first.status_code == 200
    assert send(client, exchange=str(exchange.pk)).json() == first.json()
    assert GapReport.objects.count() == 1


def test_what_is_wrong_is_named(client: Client, exchange: Exchange, employee: User) -> None:
    assert send(client, exchange=str(exchange.pk), comment="x" * 501).status_code == 400
    answered = said(talk(employee), "Ile trwa urlop?", "26 dni.")
    refused = send(client, exchange=str(answered.pk))
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_gap")
    assert not GapReport.objects.exists()


def test_an_answer_that_the_viewer_does_not_see_is_not_there(client: Client, exchange: Exchange, member: User) -> None:
    assert send(client, exchange=str(uuid.uuid4())).status_code == 404
    client.force_login(member)
    assert send(client, exchange=str(exchange.pk)).status_code == 404
