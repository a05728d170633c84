"""Thumbs without JavaScript, and the piece of the page that the script puts in their place."""

import uuid

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from ingestion.models import Collection
from rag.models import Exchange, Feedback
from tests.rag.chat.conversations.talks import said, talk

pytestmark = pytest.mark.django_db


@pytest.fixture
def exchange(client: Client, employee: User, public: Collection) -> Exchange:
    client.force_login(employee)
    return said(talk(employee), "Ile trwa urlop?", "26 dni.", collections=(public,))


def press(client: Client, exchange: Exchange, verdict: str, **fields: str):  # type: ignore[no-untyped-def]
    return client.post("/feedback/", {"exchange": str(exchange.pk), "verdict": verdict, **fields})


def test_a_judgement_is_kept_changed_and_taken_back(client: Client, exchange: Exchange) -> None:
    response = press(client, exchange, "good")
    assert response.headers["Location"] == f"/c/{exchange.conversation_id}/#{exchange.pk}"
    page = client.get(f"/c/{exchange.conversation_id}/").content.decode()
    assert page.count('aria-pressed="true"') == 1
    press(client, exchange, "bad", comment=" Za krótko.\r\nI tyle. ")
    given = Feedback.objects.get()
    assert (given.verdict, given.comment) == ("bad", "Za krótko.\nI tyle.")
    press(client, exchange, "")
    assert not Feedback.objects.exists()


def test_pressing_again_is_offered_as_taking_back(client: Client, exchange: Exchange) -> None:
    fragment = press(client, exchange, "good", fragment="1").content.decode()
    assert 'value="" data-verdict="good" aria-pressed="true"' in fragment
    assert 'value="bad" data-verdict="bad" aria-pressed="false"' in fragment
    assert "<html" not in fragment


@pytest.mark.parametrize("fields", [{"verdict": "great"}, {"verdict": "bad", "comment": "x" * 2001}])
@pytest.mark.parametrize("how", [{}, {"fragment": "1"}])
def test_what_is_wrong_is_said_and_nothing_typed_is_lost(
    client: Client, exchange: Exchange, fields: dict[str, str], how: dict[str, str]
) -> None:
    response = press(client, exchange, **fields, **how)
    assert response.status_code == 400
    assert 'role="alert"' in response.content.decode()
    assert fields.get("comment", "") in response.content.decode()
    assert not Feedback.objects.exists()


def test_only_who_sees_an_answer_can_judge_it(
    client: Client, exchange: Exchange, member: User, restricted: Collection
) -> None:
    other = Client()
    assert press(other, exchange, "good").status_code == 404
    other.force_login(member)
    assert press(other, exchange, "good").status_code == 404
    exchange.collections.add(restricted)
    assert press(client, exchange, "good").status_code == 404
    assert press(client, Exchange(pk=uuid.uuid4()), "good").status_code == 404
    assert client.post("/feedback/", {"exchange": "x", "verdict": "good"}).status_code == 404
    assert not Feedback.objects.exists()


def test_a_reader_of_a_shared_conversation_judges_for_himself(client: Client, exchange: Exchange, member: User) -> None:
    press(client, exchange, "good")
    exchange.conversation.shared = timezone.now()
    exchange.conversation.save()
    other = Client()
    other.force_login(member)
    response = press(other, exchange, "bad")
    assert response.headers["Location"] == f"/s/{exchange.conversation_id}/#{exchange.pk}"
    assert {one.user: one.verdict for one in Feedback.objects.all()} == {
        exchange.conversation.owner: "good",
        member: "bad",
    }
    assert 'data-verdict="bad" aria-pressed="true"' in other.get(f"/s/{exchange.conversation_id}/").content.decode()


def test_who_is_not_signed_in_judges_no_shared_conversation(exchange: Exchange) -> None:
    exchange.conversation.shared = timezone.now()
    exchange.conversation.save()
    assert press(Client(), exchange, "good").status_code == 404
    assert not Feedback.objects.exists()


def test_a_judgement_too_many_is_refused_with_a_page(
    client: Client, exchange: Exchange, monkeypatch: pytest.MonkeyPatch, settings: object
) -> None:
    monkeypatch.setitem(settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "feedback", "1/hour")  # type: ignore[attr-defined]
    cache.clear()
    assert press(client, exchange, "good").status_code == 302
    response = press(client, exchange, "bad")
    assert response.status_code == 429
    assert 'role="alert"' in response.content.decode()


def test_the_form_needs_its_token(exchange: Exchange, employee: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(employee)
    assert press(strict, exchange, "good").status_code == 403
