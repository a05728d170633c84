"""Every page of the admin opens, with rows that fill every column."""

from datetime import date

import pytest
from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.db.models import Model
from django.test import RequestFactory
from django.urls import reverse

from ingestion.models import (
    Collection,
    EmbeddingSpace,
    Erasure,
    GlossaryEntry,
    LexiconPack,
    RechunkedCollection,
    Rechunking,
    Source,
    SourceAddress,
    SyncReport,
    Synonym,
    SynonymGroup,
    ValidityProposal,
)
from ingestion.services.api_keys import create_key
from knowledgetree.accessibility.models import AccessibilityStatement
from knowledgetree.events.announcing import announce
from knowledgetree.events.registry import AnnouncedEvent
from knowledgetree.identity.models import DirectoryGroup
from knowledgetree.privacy.models import ProcessingRecord
from knowledgetree.webhooks.keeping import create_webhook
from knowledgetree.webhooks.models import DeliveryAttempt
from rag.models import (
    Assistant,
    CalibrationAttempt,
    Conversation,
    EvaluationDataset,
    EvaluationQuestion,
    EvaluationRun,
    Exchange,
    ExchangeCitation,
    Feedback,
    Judgement,
    LanguageModelServer,
    ModelPrice,
    MonthlyBudget,
    Widget,
)
from tests.ingestion.api.library import Library

MODELS = sorted(admin.site._registry, key=lambda model: model._meta.label)


def page(model: type[Model], name: str, *args: object) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{name}", args=args)


@pytest.fixture
def full(library: Library) -> Library:
    """A library where every registered model has at least one row."""
    source = Source.objects.create(
        collection=library.collections["public"], name="Strona", kind="web", location="https://x.pl",
        last_result={"status": "succeeded", "new": 1},
    )  # fmt: skip
    SyncReport.objects.create(
        source=source, counts={"new": 1, "skipped": 1, "reasons": {"robots": 1}},
        lists={"new": [{"uri": "https://x.pl", "detail": "", "document": library.ready["public"].pk}]},
    )  # fmt: skip
    SourceAddress.objects.create(source=source, uri="https://x.pl", document=library.ready["public"], state="waiting")
    create_key(name="intranet", owner=User.objects.get(username="member"), scopes=["search"])
    group = SynonymGroup.objects.create(name="Urlop")
    Synonym.objects.create(group=group, text="urlop")
    Synonym.objects.create(group=group, text="wypoczynek")
    GlossaryEntry.objects.create(term="Karta urlopowa", aliases=["wniosek urlopowy"], kind="formularz")
    Erasure.objects.create(document_number=7, collection=library.collections["public"], counts={"chunks": 3})
    rechunking = Rechunking.objects.create(
        status="rolled_back", backwards=True, gate="kadry", score_before=0.9, score_after=0.5, verdict="Gorzej.",
        error="Coś.", kept=1, done=1, total=2,
    )  # fmt: skip
    RechunkedCollection.objects.create(
        rechunking=rechunking, collection=library.collections["public"],
        after={"chunker": "legal", "chunk_size": 256, "overlap": 20, "options": {}},
    )  # fmt: skip
    assistant = Assistant.objects.create(name="Kadry", slug="kadry")
    Widget.objects.create(name="Kadry", assistant=assistant, origins=["https://x.pl"])
    DirectoryGroup.objects.create(name="cn=urlop,dc=urzad", group=Group.objects.create(name="Urlopy"))
    conversation = Conversation.objects.create(title="Ile dni urlopu?", owner_id=library.viewers["member"].pk)
    exchange = Exchange.objects.create(conversation=conversation, question="Ile?", answer="20 [1].", outcome="answered")
    ExchangeCitation.objects.create(
        exchange=exchange, document=library.ready["public"], number=1, chunk_id=1, title="Urlopy", uri="x",
        quote="20 dni", start=0, end=6, line_start=1, line_end=1,
    )  # fmt: skip
    Feedback.objects.create(exchange=exchange, user=library.viewers["member"], verdict="good")
    LexiconPack.objects.create(name="kadry", title="Kadry")
    LanguageModelServer.objects.create(name="bielik", base_url="http://127.0.0.1:9", main=False)
    ModelPrice.objects.create(model="bielik", input=1, output=2)
    MonthlyBudget.objects.create(tokens=1000)
    CalibrationAttempt.objects.create(
        space=EmbeddingSpace.objects.get(), reranker="features", outcome="adopted", marks=60, questions=80,
        before={"ece": 0.2, "auc": 0.7}, after={"ece": 0.1, "auc": 0.8},
    )  # fmt: skip
    dataset = EvaluationDataset.objects.create(name="kadry")
    question = EvaluationQuestion.objects.create(dataset=dataset, external_id="1", text="Ile dni urlopu?")
    Judgement.objects.create(question=question, document=library.ready["public"].uri)
    EvaluationRun.objects.create(
        dataset="kadry", kind="retrieval", preset="offline", questions=1, metrics={"nDCG@10": 1.0},
        scores={"1": {"nDCG@10": 1.0}}, latency={"total": {"p50": 20.0, "p95": 30.0}},
    )  # fmt: skip
    ProcessingRecord.objects.create(
        collection=library.ready["public"].collection, purpose="Obsługa wniosków", basis="public_task"
    )
    create_webhook(name="czat", url="https://czat.example.pl", events=["gap.opened"])
    ValidityProposal.objects.create(
        document=library.ready["public"], stated_by=library.ready["public"], field="valid_from", day=date(2026, 1, 1),
        start=0, end=5, digest="0" * 32,
    )  # fmt: skip
    AccessibilityStatement.objects.create(
        organisation="Urząd", published=date(2026, 1, 1), updated=date(2026, 1, 1), prepared=date(2026, 1, 1),
        reviewed=date(2026, 1, 1), contact="Sekretarz", email="a@x.pl", phone="1", building="Bez schodów.",
    )  # fmt: skip
    (delivery,) = announce(AnnouncedEvent.GAP_OPENED, gap=1)
    DeliveryAttempt.objects.create(delivery=delivery, milliseconds=12, code=503, reply="chwilowo nie")
    return library


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_lists_and_pages_of_every_model_open(full: Library, model: type[Model]) -> None:
    client = full.client("superuser")
    assert client.get(page(model, "changelist"), follow=True).status_code == 200  # of one row at most its form
    assert client.get(page(model, "changelist"), {"q": "urlop"}, follow=True).status_code == 200
    row = model._default_manager.first()
    assert row is not None
    assert client.get(page(model, "change", row.pk)).status_code == 200


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.label)
def test_add_pages_open_where_adding_makes_sense(full: Library, model: type[Model]) -> None:
    request = RequestFactory().get("/")
    request.user = User.objects.get(username="superuser")
    may_add = admin.site._registry[model].has_add_permission(request)
    response = full.client("superuser").get(page(model, "add"), follow=True)
    assert response.status_code == (200 if may_add else 403)


def test_the_index_and_its_sidebar_open(full: Library) -> None:
    text = full.client("superuser").get("/admin/").content.decode()
    assert page(Conversation, "changelist") in text


def test_the_queues_own_tables_are_hidden() -> None:
    assert not [model for model in MODELS if model._meta.app_label == "django_q"]


@pytest.mark.parametrize("model", [Conversation, Exchange])
def test_conversations_are_for_superusers_alone(full: Library, model: type[Model]) -> None:
    client = full.client("editor")
    assert client.get(page(model, "changelist")).status_code == 403
    row = model._default_manager.first()
    assert row is not None
    assert client.get(page(model, "change", row.pk)).status_code == 403
    assert page(model, "changelist") not in client.get("/admin/").content.decode()


def test_nobody_rewrites_a_conversation(full: Library) -> None:
    exchange = Exchange.objects.get()
    full.client("superuser").post(page(Exchange, "change", exchange.pk), {"answer": "inna"})
    exchange.refresh_from_db()
    assert exchange.answer == "20 [1]."


def test_counts_are_right_in_polish_for_every_number(full: Library) -> None:
    for extra in range(6):
        Collection.objects.create(name=f"Nowa {extra}", slug=f"nowa-{extra}")
    text = full.client("superuser").get(page(Collection, "changelist")).content.decode()
    assert "9 kolekcje" not in " ".join(text.split())
    assert "Kolekcje: 9" in text


def test_the_admin_asks_to_choose_in_polish(full: Library) -> None:
    text = full.client("superuser").get(page(GlossaryEntry, "add")).content.decode()
    assert "Select value" not in text
    assert "Wybierz wartość" in text


@pytest.mark.parametrize("model", [Collection, Source, GlossaryEntry, Assistant], ids=lambda model: model._meta.label)
def test_the_button_that_deletes_has_no_name_in_the_wrong_case(full: Library, model: type[Model]) -> None:
    row = model._default_manager.first()
    assert row is not None
    text = " ".join(full.client("superuser").get(page(model, "change", row.pk)).content.decode().split())
    assert "> Usuń </a>" in text
    assert f"Usuń {model._meta.verbose_name}" not in text
    assert page(model, "delete", row.pk) in text
