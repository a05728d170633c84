"""Questions that readers asked become cases of a set."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from ingestion.models import Collection, Document
from rag.models import Conversation, EvaluationDataset, Exchange, ExchangeCitation, Judgement
from tests.conftest import AddDocument

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked(superuser: User) -> list[Exchange]:
    conversation = Conversation.objects.create(owner=superuser, title="Rozmowa")
    texts = {"Ile kosztuje karta? PESEL 44051401359": "answered", "Gdzie jest basen?": "not_found"}
    return [
        Exchange.objects.create(conversation=conversation, question=text, answer="…", outcome=outcome)
        for text, outcome in texts.items()
    ]


def cite(exchange: Exchange, document: Document) -> None:
    ExchangeCitation.objects.create(
        exchange=exchange, number=1, document=document, chunk_id=1, title=document.title, uri=document.uri,
        quote="Karta.", start=0, end=6, line_start=1, line_end=1, score=1.0,
    )  # fmt: skip


def test_real_questions_become_cases_with_one_action(
    superuser: User, asked: list[Exchange], dataset: EvaluationDataset, public: Collection, index: AddDocument
) -> None:
    document = index(public, "Karta kosztuje 30 zł.", name="karta.txt")
    cite(asked[0], document)
    chief = Client()
    chief.force_login(superuser)
    address = reverse("admin:rag_exchange_changelist")
    action = {"action": "add_to_set", "_selected_action": [exchange.pk for exchange in asked]}
    assert "44051401359" not in str(chief.post(address, action).context["questions"])
    confirmed = action | {"confirmed": "yes", "dataset": dataset.pk, "cited": "on"}
    assert chief.post(address, confirmed).status_code == 302
    assert chief.post(address, confirmed).status_code == 302  # twice makes no second question
    added = {question.text: question for question in dataset.questions.exclude(text__startswith="Pytanie")}
    assert len(added) == 2
    assert not added["Gdzie jest basen?"].answerable
    assert "44051401359" not in "".join(added)
    assert Judgement.objects.get(question__in=added.values()).document == document.uri


def test_a_new_set_may_be_made_for_them(superuser: User, asked: list[Exchange]) -> None:
    chief = Client()
    chief.force_login(superuser)
    action = {"action": "add_to_set", "_selected_action": [asked[0].pk], "confirmed": "yes"}
    address = reverse("admin:rag_exchange_changelist")
    assert "name" in chief.post(address, action).context["form"].errors
    assert chief.post(address, action | {"name": "z pytań"}).status_code == 302
    assert EvaluationDataset.objects.get(name="z pytań").questions.count() == 1
