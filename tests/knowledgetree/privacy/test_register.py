"""The register of personal data, terms that are kept, what there is on somebody."""

from datetime import timedelta
from pathlib import Path

import pypdfium2
import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from ingestion.models import Collection, Document, Erasure
from ingestion.services.erasure import erase_document
from knowledgetree.audit.models import AuditEntry
from knowledgetree.backups.manifest import Manifest, write_manifest
from knowledgetree.events.announcing import announce
from knowledgetree.events.registry import AnnouncedEvent
from knowledgetree.privacy.leftovers import leftovers_of
from knowledgetree.privacy.models import ProcessingRecord
from knowledgetree.privacy.register import register
from knowledgetree.privacy.retention import keep_terms, overdue_documents
from knowledgetree.privacy.traces import traces_of
from knowledgetree.privacy.whole_texts import whole_texts
from knowledgetree.storage.environment import storages_of
from knowledgetree.webhooks.models import Webhook
from rag.models import Conversation, Exchange
from tests.conftest import AddDocument

pytestmark = pytest.mark.django_db

LETTER = "# Wniosek\n\nWniosek złożył Jan Nowak, PESEL 44051401359, telefon 601 234 567.\n"


@pytest.fixture
def editor(db: None) -> User:
    return User.objects.create_user("redaktorka", password="haslo", is_staff=True)


@pytest.fixture
def letter(public: Collection, index: AddDocument) -> Document:
    return index(public, LETTER, name="wniosek.md")


@pytest.fixture
def entry(public: Collection) -> ProcessingRecord:
    return ProcessingRecord.objects.create(
        collection=public, purpose="Obsługa wniosków", basis="public_task", term_days=30, ending="erase"
    )


def grow_old(document: Document, days: int) -> None:
    Document.objects.filter(pk=document.pk).update(created=timezone.now() - timedelta(days=days))


def test_the_register_says_what_was_found_and_whether_somebody_entered_why(letter: Document, superuser: User) -> None:
    (found,) = register(superuser)
    assert {kind.name: (kind.places, kind.documents) for kind in found.kinds} == {
        "imię i nazwisko": (1, 1), "PESEL": (1, 1), "numer telefonu": (1, 1),
    }  # fmt: skip
    assert found.is_missing


def test_an_editor_sees_the_collections_that_they_may_read(restricted: Collection, editor: User) -> None:
    assert restricted.pk not in [found.collection.pk for found in register(editor)]


@pytest.mark.parametrize(("days", "over"), [(29, False), (30, False), (31, True)])
def test_a_term_is_over_on_the_day_after_it(letter: Document, entry: ProcessingRecord, days: int, over: bool) -> None:
    grow_old(letter, days)
    assert overdue_documents(entry).exists() == over


def test_what_is_over_is_erased_with_proof(letter: Document, entry: ProcessingRecord) -> None:
    grow_old(letter, 31)
    assert (keep_terms(), keep_terms()) == (1, 0)
    assert not Document.objects.filter(pk=letter.pk).exists()
    assert Erasure.objects.get().document_number == letter.pk
    assert AuditEntry.objects.get(action="forget").details["ending"] == "erase"


def test_what_is_over_is_archived_once(letter: Document, entry: ProcessingRecord) -> None:
    entry.ending, entry.counted_from = "archive", "valid_to"
    entry.save()
    Document.objects.filter(pk=letter.pk).update(valid_to=timezone.localdate() - timedelta(days=31))
    assert (keep_terms(), keep_terms()) == (1, 0)
    letter.refresh_from_db()
    assert letter.status == Document.Status.ARCHIVED


def test_without_a_term_nothing_ends(letter: Document, entry: ProcessingRecord) -> None:
    grow_old(letter, 5000)
    entry.term_days = None
    entry.save()
    assert keep_terms() == 0


def test_somebody_is_found_in_documents_questions_and_the_log(letter: Document) -> None:
    conversation = Conversation.objects.create(title="wniosek")
    Exchange.objects.create(conversation=conversation, question="Co z wnioskiem Jana Nowaka?", answer="Leży.")
    AuditEntry.objects.create(action="search", door="page", text="nowakowi janowi")
    found = {traces.place: traces.listed for traces in traces_of(["Jan Nowak"])}
    assert set(found) == {"Dokumenty", "Pytania i odpowiedzi", "Dziennik audytu"}
    assert "Jan Nowak, PESEL" in found["Dokumenty"][0].excerpt
    assert found["Dokumenty"][0].address == reverse("admin:ingestion_document_change", args=[letter.pk])


def page(name: str) -> str:
    return reverse(f"admin:knowledgetree_processingrecord_{name}")


def test_the_pages_open_and_the_report_is_recorded(
    letter: Document, entry: ProcessingRecord, superuser: User, client: Client
) -> None:
    client.force_login(superuser)
    assert "Obsługa wniosków" in client.get(page("changelist")).content.decode()
    report = client.get(page("report")).content.decode()
    assert "art. 6 ust. 1 lit. e RODO" in report
    assert AuditEntry.objects.filter(action="export", subject_type="knowledgetree.processingrecord").exists()


def test_a_request_of_a_person_is_answered_and_its_words_are_not_recorded(
    letter: Document, superuser: User, client: Client
) -> None:
    client.force_login(superuser)
    text = client.post(page("person"), {"said": "Jan Nowak\n44051401359"}).content.decode()
    assert "Dokumenty: 1" in text
    entry = AuditEntry.objects.get(action="search")
    assert "Nowak" not in f"{entry.text} {entry.details}"


@pytest.mark.parametrize("said", ["12", "Jan Nowak\n" * 11, ""])
def test_a_request_that_would_find_everything_is_refused_in_words(superuser: User, client: Client, said: str) -> None:
    client.force_login(superuser)
    response = client.post(page("person"), {"said": said})
    assert (response.status_code, response.context["found"]) == (200, None)
    assert response.context["form"].errors


def test_an_editor_with_the_permission_enters_why_and_asks_for_nobody(
    public: Collection, editor: User, client: Client
) -> None:
    editor.user_permissions.add(*Permission.objects.filter(content_type__model="processingrecord"))
    client.force_login(editor)
    told = {"purpose": "Kadry", "basis": "obligation", "counted_from": "created", "ending": "archive"}
    client.post(page("add"), {"collection": public.pk, **told})
    assert ProcessingRecord.objects.get().noted_by == editor
    assert client.get(page("person")).status_code == 403


def words_of(pdf: bytes) -> str:
    with pypdfium2.PdfDocument(pdf) as document:
        return " ".join(" ".join(page.get_textpage().get_text_range() for page in document).split())


def test_the_report_is_a_pdf_too_and_says_what_masking_does_not_hold_back(
    letter: Document, entry: ProcessingRecord, superuser: User, client: Client, settings: Settings
) -> None:
    embedders = {"http": {"backend": "x.Y", "options": {"url": "https://wektory.example/v1"}}}
    components = {**settings.RAG["components"], "embedders": {**settings.RAG["components"]["embedders"], **embedders}}
    settings.RAG = {**settings.RAG, "embedder": "http", "components": components}
    client.force_login(superuser)
    answer = client.get(page("report_pdf"))
    assert answer["Content-Type"] == "application/pdf"
    text = words_of(answer.content)
    assert "Obsługa wniosków" in text
    assert "imię i nazwisko: 1 (w 1 dokumencie)" in text
    assert "wektory.example" in text
    assert "wektory.example" in client.get(page("changelist")).content.decode()
    assert [check.name for check in whole_texts()] == ["whole_texts"]


def test_an_embedder_on_this_machine_takes_no_text_away() -> None:
    assert list(whole_texts()) == []


def test_an_erasure_is_proven_by_what_is_left_of_it(letter: Document, superuser: User, client: Client) -> None:
    assert leftovers_of(letter.pk)["ingestion_document.id"] == 1
    erase_document(document=letter, erased_by=superuser)
    client.force_login(superuser)
    assert "Dowód dla dokumentu" in client.get(page("changelist")).content.decode()
    proof = reverse("admin:knowledgetree_processingrecord_proof", args=[Erasure.objects.get().pk])
    text = words_of(client.get(proof).content)
    assert f"dokument {letter.pk} (publiczna)" in text.lower()
    assert set(leftovers_of(letter.pk).values()) == {0}


def test_the_proof_of_a_closed_collection_is_not_given(
    restricted: Collection, editor: User, superuser: User, client: Client
) -> None:
    erasure = Erasure.objects.create(document_number=7, collection=restricted)
    names = ("view_processingrecord", "view_erasure")
    editor.user_permissions.set(Permission.objects.filter(codename__in=names))
    client.force_login(editor)
    assert client.get(reverse("admin:knowledgetree_processingrecord_proof", args=[erasure.pk])).status_code == 404
    client.force_login(superuser)
    assert client.get(reverse("admin:knowledgetree_processingrecord_proof", args=[erasure.pk])).status_code == 200


def test_somebody_is_found_in_the_logs_and_backups_are_named_that_are_not_searched(
    letter: Document, superuser: User, client: Client, settings: Settings, tmp_path: Path
) -> None:
    LogEntry.objects.create(
        user=superuser, action_flag=CHANGE, object_repr="Wniosek Jana Nowaka", content_type=None, object_id="7"
    )
    Webhook.objects.create(name="x", url="https://x.pl", events=["document.ready"], encrypted_secret="x")
    announce(AnnouncedEvent.DOCUMENT_READY, document=letter.pk, title="Jan Nowak")
    places = [traces.place for traces in traces_of(["Jan Nowak"])]
    assert {"Dziennik administracji", "Komunikaty webhooków"} <= set(places)
    settings.STORAGES = storages_of(None, backups=str(tmp_path))
    made = Manifest(
        name="2026-03-01T020000Z", made="2026-03-01T02:00:00+00:00", release="1", dump_bytes=1, dump_checksum="x",
        rows={}, originals=(),
    )  # fmt: skip
    write_manifest(made)
    client.force_login(superuser)
    text = client.post(page("person"), {"said": "Jan Nowak"}).content.decode()
    assert "Kopie zapasowe nie są przeszukiwane" in text
    assert "01-03-2026" in text
