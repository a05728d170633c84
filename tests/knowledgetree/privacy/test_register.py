"""The register of personal data, terms that are kept, what there is on somebody."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ingestion.models import Collection, Document, Erasure
from knowledgetree.audit.models import AuditEntry
from knowledgetree.privacy.models import ProcessingRecord
from knowledgetree.privacy.register import register
from knowledgetree.privacy.retention import keep_terms, overdue_documents
from knowledgetree.privacy.traces import traces_of
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
