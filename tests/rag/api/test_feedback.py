"""Judgements over the API."""

import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.utils import timezone
from rest_framework.throttling import ScopedRateThrottle

from ingestion.models import Collection
from rag.models import Exchange, Feedback
from tests.rag.chat.conversations.talks import said, talk

pytestmark = pytest.mark.django_db


@pytest.fixture
def exchange(client: Client, employee: User, public: Collection) -> Exchange:
    client.force_login(employee)
    return said(talk(employee), "Ile trwa urlop?", "26 dni.", collections=(public,))


def judge(client: Client, judged: Exchange, **body: object) -> Any:
    given = {"exchange": str(judged.pk), "verdict": "good", **body}
    return client.post("/api/feedback", given, content_type="application/json")


def test_a_later_judgement_takes_the_place_of_the_earlier(client: Client, exchange: Exchange, employee: User) -> None:
    judge(client, exchange, comment="Dobrze.")
    response = judge(client, exchange, verdict="bad", reason="outdated")
    assert response.status_code == 200
    assert response.json() == {"exchange": str(exchange.pk), "verdict": "bad", "reason": "outdated", "comment": ""}
    given = Feedback.objects.get()
    assert (given.user, given.verdict, given.reason, given.comment) == (employee, "bad", "outdated", "")


def test_what_helps_has_no_reason(client: Client, exchange: Exchange) -> None:
    assert judge(client, exchange, verdict="good", reason="outdated").json()["reason"] == ""


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"verdict": "great"}, "verdict"),
        ({"reason": "long"}, "reason"),
        ({"comment": "x" * 2001}, "comment"),
        ({"exchange": "x"}, "exchange"),
    ],
)
def test_what_is_wrong_is_named(client: Client, exchange: Exchange, body: dict[str, str], field: str) -> None:
    response = judge(client, exchange, **body)
    assert response.status_code == 400
    assert [problem["field"] for problem in response.json()["errors"]] == [field]
    assert not Feedback.objects.exists()


def test_an_answer_that_one_does_not_see_does_not_exist(
    client: Client, exchange: Exchange, member: User, restricted: Collection
) -> None:
    other = Client()
    assert judge(other, exchange).status_code == 404
    other.force_login(member)
    assert judge(other, exchange).status_code == 404
    assert judge(client, Exchange(pk=uuid.uuid4())).status_code == 404
    exchange.collections.add(restricted)
    assert judge(client, exchange).status_code == 404
    exchange.conversation.shared = timezone.now()
    exchange.conversation.save()
    assert judge(other, exchange).status_code == 200


def test_judgements_have_a_limit(client: Client, exchange: Exchange, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(ScopedRateThrottle.THROTTLE_RATES, "feedback", "1/hour")
    cache.clear()
    assert judge(client, exchange).status_code == 200
    assert judge(client, exchange).status_code == 429


def test_it_is_in_the_description_of_the_api(client: Client) -> None:
    described = client.get("/api/schema/?format=json").json()
    assert set(described["paths"]["/api/feedback"]["post"]["responses"]) == {"200", "400", "404", "429"}


def test_superusers_read_what_readers_think(client: Client, exchange: Exchange, superuser: User) -> None:
    judge(client, exchange, comment="Dobrze.")
    assert client.get("/api/feedback").status_code == 403
    client.force_login(superuser)
    (given,) = client.get("/api/feedback?verdict=good").json()["results"]
    assert (given["question"], given["comment"], given["user"]) == ("Ile trwa urlop?", "Dobrze.", "pracownik")
    assert client.get("/api/feedback?verdict=bad").json()["count"] == 0


def test_a_judgement_is_taken_back(client: Client, exchange: Exchange) -> None:
    judge(client, exchange)
    assert [client.delete(f"/api/feedback/{exchange.pk}").status_code for _again in range(2)] == [204, 204]
    assert not Feedback.objects.exists()
    assert client.delete(f"/api/feedback/{uuid.uuid4()}").status_code == 404
