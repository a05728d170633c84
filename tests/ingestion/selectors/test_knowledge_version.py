"""The version changes with every committed change that an answer can rest on, and with nothing else."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from datetime import date

import pytest
from django.contrib.auth.models import Group
from django.db import connection, connections, transaction
from django.utils import timezone

from ingestion.jobs import run_job
from ingestion.models import (
    Chunk,
    Collection,
    Document,
    EmbeddingSpace,
    GlossaryEntry,
    KnowledgeChange,
    Source,
    SynonymGroup,
    ValidityProposal,
)
from ingestion.selectors.knowledge_version import fold_changes, knowledge_version
from ingestion.services.chunks import edit_chunk, set_chunk_enabled
from ingestion.services.documents import add_document, archive_document, delete_document
from ingestion.services.entities import refresh_entities
from tests.conftest import AddDocument, index_text, make_public
from tests.kept import Kept

TEXT = "Urlop wypoczynkowy pani Anny Nowak w Urzędzie Miasta Gdyni wynosi 26 dni."


def sql(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def state_end(document: Document) -> None:
    ValidityProposal.objects.get_or_create(
        document=document, stated_by=document, field="valid_to", day=date(2020, 1, 1), start=0, end=5
    )


Change = Callable[[Document], object]
CHANGES: dict[str, Change] = {
    "a new title": lambda d: Document.objects.filter(pk=d.pk).update(title="Nowy"),
    "a saved title": lambda d: (setattr(d, "title", "Nowy"), d.save()),
    "a validity": lambda d: Document.objects.filter(pk=d.pk).update(valid_to=date(2020, 1, 1)),
    "an end that it says of itself": lambda d: state_end(d),
    "metadata": lambda d: Document.objects.filter(pk=d.pk).update(metadata={"wydział": "kadry"}),
    "tags": lambda d: Document.objects.filter(pk=d.pk).update(tags=["kadry"]),
    "a status by raw SQL": lambda d: sql("UPDATE ingestion_document SET status = 'archived'"),
    "archiving": lambda d: archive_document(document=d),
    "deleting": lambda d: delete_document(document=d),
    "deleting in bulk": lambda d: Document.objects.all().delete(),
    "an edited chunk": lambda d: edit_chunk(chunk=d.chunks.get(), text="Urlop wynosi 30 dni."),
    "a chunk switched off": lambda d: set_chunk_enabled(chunk=d.chunks.get(), enabled=False),
    "a chunk by raw SQL": lambda d: sql("UPDATE ingestion_chunk SET text = 'inny'"),
    "an extracted text": lambda d: d.extractions.update(text="inny"),
    "names found anew": lambda d: refresh_entities(missing_only=False),
    "visibility": lambda d: Collection.objects.update(visibility="internal"),
    "weights": lambda d: Collection.objects.update(form_weight=0.9),
    "a group let in": lambda d: d.collection.groups.add(Group.objects.create(name="Nowi")),
    "synonyms": lambda d: SynonymGroup.objects.create(name="a", collection=d.collection).synonyms.create(text="b"),
    "synonyms for all": lambda d: SynonymGroup.objects.create(name="a"),
    "a glossary entry": lambda d: GlossaryEntry.objects.create(term="BIP"),
    "calibration": lambda d: EmbeddingSpace.objects.update(calibration={"features": {}}),
    "another active space": lambda d: EmbeddingSpace.objects.update(status="retired"),
    "an emptied table": lambda d: sql("SET CONSTRAINTS ALL IMMEDIATE; TRUNCATE ingestion_source CASCADE"),
}
NO_CHANGES: dict[str, Change] = {
    "nothing new": lambda d: Document.objects.filter(pk=d.pk).update(title=d.title, tags=d.tags),
    "a job's progress": lambda d: d.jobs.update(heartbeat=timezone.now(), done=5, status="running"),
    "statistics of a document": lambda d: Document.objects.update(
        chunk_count=7, indexed=timezone.now(), error_code="x"
    ),
    "a grade of a chunk": lambda d: Chunk.objects.update(retrieval_quality="HIGH"),
    "a description": lambda d: Collection.objects.update(description="o niczym"),
    "a result of a source": lambda d: Source.objects.update(last_synced=timezone.now()),
    "a paused space": lambda d: EmbeddingSpace.objects.update(paused=True, error="brak"),
    "folding": lambda d: fold_changes(),
}


@pytest.fixture(scope="module")
def kept_document(kept_rows: Kept) -> Document:
    with kept_rows.writing():
        public = make_public()
        Source.objects.create(collection=public, name="Folder")
        return index_text(public, TEXT)


@pytest.fixture
def document(kept_document: Document, db: None) -> Document:
    return copy(kept_document)


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_noted(name: str, document: Document) -> None:
    collection = document.collection_id
    before = knowledge_version([collection])
    CHANGES[name](document)
    assert knowledge_version([collection]) != before


BECOMES: dict[str, Change] = {
    "another day": lambda d: d.validity_proposals.update(day=date(2021, 1, 1)),
    "rejected": lambda d: d.validity_proposals.update(decision="rejected"),
    "said no more": lambda d: d.validity_proposals.all().delete(),
}


@pytest.mark.parametrize("name", BECOMES)
def test_what_becomes_of_an_end_is_noted(name: str, document: Document) -> None:
    state_end(document)
    before = knowledge_version([document.collection_id])
    BECOMES[name](document)
    assert knowledge_version([document.collection_id]) != before


@pytest.mark.parametrize("name", NO_CHANGES)
def test_what_no_answer_rests_on_is_not(name: str, document: Document) -> None:
    before = knowledge_version([document.collection_id])
    NO_CHANGES[name](document)
    assert knowledge_version([document.collection_id]) == before


def test_other_collections_keep_their_version(document: Document, internal: Collection, index: AddDocument) -> None:
    before = knowledge_version([document.collection_id])
    other = knowledge_version([internal.pk])
    index(internal, "Instrukcja ekspresu do kawy.")
    assert knowledge_version([document.collection_id]) == before
    assert knowledge_version([internal.pk]) != other


def test_a_document_that_moves_changes_both(document: Document, internal: Collection) -> None:
    before = [knowledge_version([pk]) for pk in (document.collection_id, internal.pk)]
    Document.objects.update(collection=internal)
    assert all(
        knowledge_version([pk]) != old for pk, old in zip((document.collection_id, internal.pk), before, strict=True)
    )


def test_what_was_taken_back_is_no_later_version(document: Document) -> None:
    seen = set()
    for title in ("pierwszy", "drugi", "trzeci"):
        with transaction.atomic():
            Document.objects.update(title=title)
            seen.add(knowledge_version([document.collection_id]))
            transaction.set_rollback(True)
    Document.objects.update(title="czwarty")
    assert len(seen) == 3
    assert knowledge_version([document.collection_id]) not in seen


def test_the_notes_are_folded_as_they_come(document: Document) -> None:
    """Some 200 a fold; of 4,000 notes more than 2,000 are left once in e^10 runs."""
    sql("DO $$ BEGIN FOR n IN 1..4000 LOOP UPDATE ingestion_document SET title = n; END LOOP; END $$")
    assert KnowledgeChange.objects.count() < 2000


@contextmanager
def beside(work: Callable[[], object]) -> Iterator[threading.Event]:
    """Run `work` in a transaction of another connection, which commits when the block ends."""
    done, end = threading.Event(), threading.Event()
    errors: list[BaseException] = []

    def run() -> None:
        try:
            with transaction.atomic():
                work()
                done.set()
                end.wait(20)
        except BaseException as error:
            errors.append(error)
        finally:
            connections.close_all()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        done.wait(20)
        yield done
    finally:
        end.set()
        thread.join(20)
    assert not errors


@pytest.mark.django_db(transaction=True)
class TestSeveralTransactions:
    def test_an_older_one_that_commits_later_changes_the_version(self) -> None:
        collection = Collection.objects.create(name="a", slug="a")
        old, new = (Document.objects.create(collection=collection, uri=uri, title=uri) for uri in "xy")
        with beside(lambda: Document.objects.filter(pk=old.pk).update(title="później")):
            Document.objects.filter(pk=new.pk).update(title="wcześniej")
            between = knowledge_version([collection.pk])
        assert Document.objects.get(pk=old.pk).title == "później"
        assert knowledge_version([collection.pk]) != between

    def test_folding_beside_an_open_one_loses_nothing(self) -> None:
        collection = Collection.objects.create(name="a", slug="a")
        document = Document.objects.create(collection=collection, uri="x", title="x")
        with beside(lambda: Document.objects.filter(pk=document.pk).update(title="później")):
            before = knowledge_version([collection.pk])
            fold_changes()
            assert knowledge_version([collection.pk]) == before
        after = knowledge_version([collection.pk])
        assert after != before
        fold_changes()
        assert knowledge_version([collection.pk]) == after

    def test_two_folds_at_once_neither_wait_nor_lose(self) -> None:
        collection = Collection.objects.create(name="a", slug="a")
        before = knowledge_version([collection.pk])
        with beside(fold_changes) as done:
            assert done.is_set()
            sql("SET statement_timeout = '5s'")
            fold_changes()
            assert knowledge_version([collection.pk]) == before
            sql("RESET statement_timeout")
        assert knowledge_version([collection.pk]) == before

    def test_writers_of_one_collection_do_not_wait_for_each_other(self) -> None:
        collection = Collection.objects.create(name="a", slug="a")
        names = ("pierwszy.txt", "drugi.txt")
        first, second = (
            add_document(collection=collection, name=name, content=name.encode(), enqueue=False) for name in names
        )

        def rename(document: Document) -> int:
            return Document.objects.filter(pk=document.pk).update(title="inny")

        with beside(lambda: rename(first)) as done:
            assert done.is_set()
            sql("SET lock_timeout = '5s'")  # a writer that waited for the open transaction would fail by this
            rename(second)
            sql("RESET lock_timeout")
        assert collection.documents.filter(title="inny").count() == 2

    def test_deleting_a_collection_changes_its_version(self) -> None:
        collection = Collection.objects.create(name="a", slug="a", visibility="public")
        document = add_document(collection=collection, name="a.txt", content=TEXT.encode(), enqueue=False)
        for job in document.jobs.all():
            run_job(str(job.pk))
        before = knowledge_version([collection.pk])
        collection.delete()
        assert knowledge_version([collection.pk]) != before
