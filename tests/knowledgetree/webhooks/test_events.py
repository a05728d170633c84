"""What is told, and what of it."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from ingestion.models import Collection
from knowledgetree.events.registry import AnnouncedEvent
from knowledgetree.webhooks.models import Webhook, WebhookDelivery
from rag.evaluation.worsening import announce_if_worse
from rag.models import Conversation, EvaluationRun, Exchange
from rag.services.gaps import change_gap, join_gap, open_gap
from tests.conftest import index_in_job, make_public

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _listener() -> None:
    events = [event for event in AnnouncedEvent.values if event != AnnouncedEvent.TEST]
    Webhook.objects.create(name="czat", url="https://czat.example.pl", events=events, encrypted_secret="x")


def messages() -> list[dict[str, Any]]:
    return [json.loads(body) for body in WebhookDelivery.objects.order_by("created").values_list("body", flat=True)]


class TestDocuments:
    def test_one_that_is_ready(self) -> None:
        document = index_in_job(make_public(), "Urlop trwa 20 dni.", title="Urlopy")
        (message,) = messages()
        assert message["type"] == "document.ready"
        assert message["data"] == {
            "document": document.pk, "title": "Urlopy", "collection": "publiczna", "status": "ready",
        }  # fmt: skip

    def test_one_that_could_not_be_read_and_why(self) -> None:
        index_in_job(make_public(), b"%PDF-1.7 broken", name="plik.pdf")
        (message,) = messages()
        assert (message["type"], message["data"]["status"]) == ("document.failed", "failed")
        assert message["data"]["code"]

    def test_a_title_is_covered_where_personal_data_are(self) -> None:
        collection = make_public()
        Collection.objects.filter(pk=collection.pk).update(mask_personal_data=True)
        collection.refresh_from_db()
        index_in_job(collection, "Umowa.", title="Umowa 44051401359")
        assert messages()[0]["data"]["title"] == "Umowa •••••••••••"


class TestGaps:
    def asked(self, question: str) -> Exchange:
        conversation = Conversation.objects.create(owner=User.objects.get_or_create(username="czytelnik")[0])
        return Exchange.objects.create(conversation=conversation, question=question, answer="", outcome="not_found")

    def test_one_that_opens_is_told_without_the_question(self) -> None:
        gap = open_gap(exchanges=[self.asked("Ile zarabia Jan Kowalski?").pk])
        (message,) = messages()
        assert message["type"] == "gap.opened"
        assert message["data"] == {"gap": gap.pk, "questions": 1, "reopened": False}

    def test_one_that_is_asked_in_vain_again(self) -> None:
        gap = open_gap(exchanges=[self.asked("Ile?").pk])
        change_gap(gap=gap, change={"status": "answered"})
        assert join_gap(gap=gap, exchanges=[self.asked("Ile?").pk])
        assert messages()[-1]["data"] == {"gap": gap.pk, "questions": 2, "reopened": True}


class TestMeasurements:
    def run(self, score: float, *, preset: str = "offline", questions: int = 20) -> EvaluationRun:
        scores = {str(number): {"nDCG@10": score} for number in range(questions)}
        return EvaluationRun.objects.create(
            dataset="kadry", kind="retrieval", preset=preset, questions=questions, scores=scores
        )

    def test_one_that_is_worse_than_the_one_before(self) -> None:
        before, after = self.run(0.9), self.run(0.6)
        announce_if_worse(after)
        (message,) = messages()
        assert message["type"] == "evaluation.worse"
        told = message["data"]
        assert (told["run"], told["earlier"], told["measure"]) == (after.pk, before.pk, "nDCG@10")
        assert (told["before"], told["after"]) == (0.9, 0.6)

    def test_one_that_is_better_is_no_news(self) -> None:
        self.run(0.6)
        assert announce_if_worse(self.run(0.9)) is None

    def test_what_may_be_chance_is_no_news(self) -> None:
        self.run(0.9, questions=2)
        assert announce_if_worse(self.run(0.6, questions=2)) is None

    def test_another_preset_is_another_thing(self) -> None:
        self.run(0.9, preset="accurate")
        assert announce_if_worse(self.run(0.6)) is None
        assert messages() == []
