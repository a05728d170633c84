"""After an erasure nothing of the document is left, in no table and in no file."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from copy import copy
from pathlib import Path
from typing import Any

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.contenttypes.models import ContentType
from django.core.management import call_command
from django.db import connection

from ingestion.models import Chunk, Collection, Document, Erasure, SyncReport, Term
from ingestion.models.sources import Source
from ingestion.services.chunks import edit_chunk
from ingestion.services.documents import add_document
from ingestion.services.erasure import erase_document
from rag.models import CachedAnswer, EvaluationDataset, Exchange, ExchangeCitation, Feedback, Judgement
from rag.selectors import shown_exchanges
from rag.services.ask import ask
from rag.services.ask_request import AskRequest
from tests.conftest import index_text, make_public
from tests.kept import Kept

MARKER = "kwarcolit"
FIRST = f"# Opłaty {MARKER}\n\nWydanie legitymacji prowadzi pani Anna {MARKER.title()}owa, kosztuje 70 zł.\n"
TEXT = (
    f"# Opłaty {MARKER}\n\nWydanie legitymacji kosztuje 77 zł, jak mówi {MARKER.upper()} i pani Anna "
    f"{MARKER.title()}owa.\n"
)
QUESTION = "Ile kosztuje wydanie legitymacji?"
Capture = Callable[..., AbstractContextManager[Any]]


def everywhere() -> Iterator[str]:
    """Each column of the database in which the marker stands, whatever its type."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' "
            "AND table_name IN (SELECT tablename FROM pg_tables WHERE schemaname = 'public')"
        )
        for table, column in cursor.fetchall():
            cursor.execute(f'SELECT count(*) FROM "{table}" WHERE "{column}"::text ILIKE %s', [f"%{MARKER}%"])
            if cursor.fetchone()[0]:
                yield f"{table}.{column}"


def files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and MARKER.encode() in path.read_bytes().lower()]


def talk(*questions: str) -> list[Exchange]:
    """In one conversation."""
    conversation, exchanges = None, []
    for question in questions:
        events = list(
            ask(AskRequest(question=question, viewer=AnonymousUser(), session_key="s", conversation=conversation))
        )
        exchanges.append(Exchange.objects.get(pk=events[-1].exchange_id))  # type: ignore[attr-defined]
        conversation = exchanges[-1].conversation
    return exchanges


@pytest.fixture(scope="module")
def kept_fees(kept_rows: Kept) -> Document:
    """A document with two versions, an edited chunk, a title and an address that give it away."""
    with kept_rows.writing():
        public = make_public()
        index_text(public, "# Pożyczki\n\nPożyczka z biblioteki trwa 30 dni.\n", name="biblioteka.md")
        fields = {"name": f"{MARKER}.md", "title": f"Cennik {MARKER}", "metadata": {"urząd": MARKER}, "tags": [MARKER]}
        index_text(public, FIRST, **fields)
        return index_text(public, TEXT, **fields)


@pytest.fixture
def fees(kept_fees: Document, db: None) -> Document:
    return copy(kept_fees)


def test_nothing_is_left_of_an_erased_document(
    fees: Document, superuser: User, settings: Any, django_capture_on_commit_callbacks: Capture
) -> None:
    [exchange] = talk(QUESTION)
    assert exchange.citations.filter(document=fees).exists()
    Feedback.objects.create(exchange=exchange, session_key="s", verdict="bad", comment=f"To nie {MARKER}!")
    chunk = fees.chunks.get()
    edit_chunk(chunk=chunk, text=f"{chunk.text} Także {MARKER}em.")
    LogEntry.objects.create(
        user=superuser, content_type=ContentType.objects.get_for_model(Document), object_id=str(fees.pk),
        object_repr=str(fees), action_flag=CHANGE, change_message=f"Tytuł: {MARKER}",
    )  # fmt: skip
    questions = EvaluationDataset.objects.create(name="złoty").questions
    Judgement.objects.create(question=questions.create(external_id="1", text=QUESTION), document=fees.uri)
    tables = set(everywhere())
    assert {"ingestion_documentversion.text", "rag_exchange.answer", "rag_cachedanswer.answer"} <= tables
    assert {"ingestion_term.text", "ingestion_entity.name", "django_admin_log.object_repr"} <= tables
    assert len(files(Path(settings.MEDIA_ROOT))) == 2

    with django_capture_on_commit_callbacks(execute=True):
        erase_document(document=fees, erased_by=superuser)

    assert list(everywhere()) == []
    assert files(Path(settings.MEDIA_ROOT)) == []
    assert not CachedAnswer.objects.exists()


def test_the_record_says_who_and_how_much_and_not_what(fees: Document, superuser: User) -> None:
    talk(QUESTION)
    number = fees.pk
    erase_document(document=fees, erased_by=superuser)
    erasure = Erasure.objects.get()
    assert (erasure.document_number, erasure.erased_by, erasure.collection) == (number, superuser, fees.collection)
    assert erasure.counts["chunks"] == 1
    assert erasure.counts["versions"] == 2
    assert erasure.counts["answers"] == 1
    assert erasure.counts["words"] > 0


def test_the_reader_sees_that_the_answer_was_erased(fees: Document) -> None:
    [exchange] = talk(QUESTION)
    erase_document(document=fees)
    shown = shown_exchanges(exchange.conversation, AnonymousUser())[0]
    assert shown.exchange.question == QUESTION
    assert shown.exchange.outcome == "erased"
    assert [citation.title for citation in shown.citations] == ["usunięto"] or shown.citations[0].title == "erased"
    assert shown.citations[0].url == ""
    assert "77" not in shown.exchange.answer


def test_answers_from_other_documents_stay(fees: Document) -> None:
    kept = talk("Ile trwa pożyczka z biblioteki?")[0]
    kept.documents = [pk for pk in kept.documents if pk != fees.pk]  # only the library's was shown
    kept.save()
    ExchangeCitation.objects.filter(exchange=kept, document=fees).delete()
    erase_document(document=fees)
    before = kept.answer
    kept.refresh_from_db()
    assert kept.answer == before
    assert kept.outcome == "answered"


def test_later_answers_that_may_repeat_an_erased_one_are_erased_with_it(fees: Document) -> None:
    """A follow-up was worded after the erased answer; a direct answer rests on the conversation alone."""
    exchanges = talk("Dzień dobry!", QUESTION, "a duplikatu?", "Ile trwa pożyczka z biblioteki?", "Co powiedziałeś?")
    greeting, first, follow_up, other, direct = exchanges
    assert first.citations.filter(document=fees).exists()
    assert follow_up.searched
    assert not other.searched
    assert (greeting.outcome, direct.outcome) == ("direct", "direct")
    ExchangeCitation.objects.filter(exchange__in=[follow_up, other], document=fees).delete()
    Exchange.objects.filter(pk__in=[follow_up.pk, other.pk]).update(documents=[])  # they rest on other sources
    erase_document(document=fees)
    outcomes = Exchange.objects.in_bulk([exchange.pk for exchange in exchanges])
    assert [outcomes[exchange.pk].outcome == "erased" for exchange in exchanges] == [False, True, True, False, True]


def test_words_that_other_documents_have_stay_in_the_index(fees: Document, public: Collection) -> None:
    erase_document(document=fees)
    assert Term.objects.filter(text="pożyczka").exists()
    assert not Term.objects.filter(text="legitymacja").exists()
    assert Chunk.objects.get().document.uri == "biblioteka.md"


def test_an_original_that_another_document_has_stays(
    fees: Document, internal: Collection, django_capture_on_commit_callbacks: Capture
) -> None:
    other = add_document(collection=internal, name="kopia.md", content=TEXT.encode(), enqueue=False)
    with django_capture_on_commit_callbacks(execute=True):
        erase_document(document=fees)
    assert other.file.read() == TEXT.encode()


def test_reports_of_synchronisations_forget_its_address(fees: Document, public: Collection) -> None:
    source = Source.objects.create(collection=public, kind="web", name="Strona", location="https://urzad.pl/")
    Document.objects.filter(pk=fees.pk).update(source=source)
    fees.refresh_from_db()
    entries = [{"uri": fees.uri, "document": fees.pk, "detail": ""}, {"uri": "x", "document": 0, "detail": ""}]
    report = SyncReport.objects.create(source=source, lists={"new": entries})
    erase_document(document=fees)
    report.refresh_from_db()
    assert report.lists == {"new": entries[1:]}


def test_the_command_erases_only_when_it_is_told_to(fees: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.input", lambda _: "nie")
    call_command("erase", document=fees.pk)
    assert Document.objects.filter(pk=fees.pk).exists()
    call_command("erase", document=fees.pk, yes=True)
    assert not Document.objects.filter(pk=fees.pk).exists()
