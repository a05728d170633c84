"""What an answer cost is shown to those who see all costs, and to nobody else."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from rag.chat.answering.costs import cost_in_words
from rag.models import Conversation
from rag.services.ask import answer_question
from tests.conftest import index_text, make_public
from tests.kept import Kept
from tests.messages_server import MessagesServer, Turn

QUESTION = "Ile dni urlopu przysługuje?"
KEY = "sk-bardzo-tajny-klucz"


@pytest.fixture(scope="module")
def kept_leave_rules(kept_rows: Kept) -> None:
    with kept_rows.writing():
        index_text(make_public(), "Pracownikowi przysługuje 26 dni urlopu wypoczynkowego.", name="urlopy.md")


@pytest.fixture(autouse=True)
def leave_rules(kept_leave_rules: None, db: None) -> None:
    """What `kept_leave_rules` wrote."""


@pytest.fixture
def server(settings: Any) -> Iterator[MessagesServer]:
    with MessagesServer(Turn(pieces=("26 dni [1].",))) as server:
        llm = {"api_key": KEY, "base_url": server.url, "model": "claude-haiku-4-5", "max_retries": 0}
        settings.RAG = {**settings.RAG, "llm": llm}
        yield server


def page(client: Client, user: User) -> str:
    answer_question(QUESTION, viewer=user)
    client.force_login(user)
    conversation = Conversation.objects.get(owner=user)
    address = reverse("chat:conversation", args=[conversation.pk])
    return client.get(address, headers={"Accept-Language": "pl"}).content.decode()


def test_the_dashboards_viewers_see_it_and_readers_do_not(
    client: Client, server: MessagesServer, superuser: User, employee: User
) -> None:
    assert "Koszt:" in page(client, superuser)
    assert "Koszt:" not in page(client, employee)


def test_a_stream_shows_it_to_them_too(client: Client, server: MessagesServer, superuser: User, employee: User) -> None:
    for user, shown in ((superuser, True), (employee, False)):
        client.force_login(user)
        sent = client.post(reverse("chat:ask"), {"question": QUESTION}, headers={"Accept-Language": "pl"}, follow=True)
        assert ("Koszt:" in sent.content.decode()) == shown


def test_it_says_which_models_have_no_price() -> None:
    tokens = {"input": 1200, "output": 30}
    assert cost_in_words({"tokens": {"input": 0, "output": 0}}) == ""
    assert "0.0021 $" in cost_in_words({"tokens": tokens, "cost": 0.0021}).replace(",", ".")
    unknown = cost_in_words({"tokens": tokens, "cost": 0.0, "unpriced": ["bielik"]})
    assert "bielik" in unknown
    assert "$" not in unknown


def test_a_refused_key_is_told_to_reader_and_administrator_without_the_key(
    client: Client, server: MessagesServer, superuser: User, caplog: pytest.LogCaptureFixture
) -> None:
    server.turns[:] = [Turn(status=401, message=f"invalid key {KEY}")]
    shown = page(client, superuser)
    assert "26 dni" in shown
    assert "Administrator powinien sprawdzić" in shown
    start = client.get(reverse("admin:index"), headers={"Accept-Language": "pl"}).content.decode()
    assert "odrzucił 1 pytanie" in start
    assert KEY not in shown + start + caplog.text
