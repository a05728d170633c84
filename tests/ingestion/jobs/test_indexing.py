from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import DataError
from django.utils import timezone
from django_q.models import OrmQ
from django_q.tasks import async_task, queue_size

from ingestion.errors import DocumentTooLarge, EmptyDocument, IngestionError
from ingestion.index.writing import IndexedChunk, IndexedText, replace_document
from ingestion.jobs import maintain_index, recover_jobs, run_job
from ingestion.jobs.queue import release_messages, send
from ingestion.models import Chunk, Collection, Document, Job, Posting
from ingestion.services.documents import (
    add_document,
    archive_document,
    delete_document,
    reindex_document,
    restore_document,
)
from ingestion.services.jobs import cancel_job, retry_job
from ingestion.types import ChunkDraft, ExtractedText
from knowledgetree.schedules import CHORES
from tests.conftest import AddDocument, index_in_job

TEXT = "Urlop trwa 26 dni.\n\nWniosek składa się u kierownika."


@pytest.fixture
def index(db: None) -> AddDocument:
    return index_in_job


def waiting(document: Document) -> Job:
    return Job.objects.get(document=document, status=Job.Status.QUEUED)


def add(collection: Collection, text: str = TEXT, **fields: str) -> Document:
    return add_document(collection=collection, name="a.txt", content=text.encode(), enqueue=False, **fields)  # type: ignore[arg-type]


class TestAdding:
    def test_a_document_becomes_ready_with_its_chunks(self, public: Collection, index: AddDocument) -> None:
        document = index(public, TEXT)
        assert document.status == Document.Status.READY
        assert document.chunk_count == Chunk.objects.filter(document=document).count() > 0
        assert document.jobs.get().status == Job.Status.SUCCEEDED

    def test_the_same_content_again_costs_nothing(self, public: Collection, index: AddDocument) -> None:
        index(public, TEXT)
        index(public, TEXT)
        assert Document.objects.count() == 1
        assert Job.objects.count() == 1

    def test_a_new_content_replaces_the_chunks(self, public: Collection, index: AddDocument) -> None:
        old = index(public, TEXT)
        new = index(public, "Zupełnie inny tekst o fakturach.")
        assert old.pk == new.pk
        assert [chunk.text for chunk in Chunk.objects.all()] == ["Zupełnie inny tekst o fakturach."]

    def test_what_a_file_says_of_itself_stands_beside_what_editors_wrote(
        self, public: Collection, index: AddDocument
    ) -> None:
        own = {"department": "Kadry"}
        document = index(public, "---\nautor: Jan\n---\n# Urlop\n\nTreść.", name="a.md", metadata=own)
        assert document.metadata == {"department": "Kadry", "extracted": {"autor": "Jan"}}
        document = index(public, "---\nautor: 'a\\u0000b'\n---\n# Urlop\n\nTreść.", name="a.md", metadata=own)
        assert document.metadata["extracted"] == {"autor": "a\\u0000b"}  # those six characters, not a NUL
        document = index(public, "# Urlop\n\nTreść bez nagłówka.", name="a.md", metadata=own)
        assert document.metadata == own

    def test_too_large_and_empty_files_are_refused_at_the_door(self, public: Collection, settings: Any) -> None:
        settings.RAG = {**settings.RAG, "ingestion": {"max_bytes": 10}}
        with pytest.raises(DocumentTooLarge):
            add(public)
        with pytest.raises(EmptyDocument):
            add(public, "")
        assert not Document.objects.exists()

    def test_a_file_of_exactly_the_limit_is_taken(self, public: Collection, settings: Any) -> None:
        settings.RAG = {**settings.RAG, "ingestion": {"max_bytes": 10}}
        assert add(public, "x" * 10).size == 10
        with pytest.raises(DocumentTooLarge):
            add(public, "x" * 11)

    def test_an_unreadable_file_fails_with_a_reason(self, public: Collection, index: AddDocument) -> None:
        document = index(public, b"%PDF-1.7 broken", name="a.pdf")
        assert document.status == Document.Status.FAILED
        assert document.error_code == "corrupt"
        assert document.error_message
        assert document.jobs.get().error_code == "corrupt"

    def test_a_bad_new_version_leaves_the_old_one_in_service(self, public: Collection, index: AddDocument) -> None:
        index(public, TEXT, name="a.pdf")
        document = index(public, b"%PDF-1.7 broken", name="a.pdf")
        assert document.status == Document.Status.READY
        assert document.error_code == "corrupt"
        assert document.chunk_count > 0

    def test_a_name_with_a_path_stays_a_name(self, public: Collection) -> None:
        document = add_document(collection=public, name="..\\..\\etc/passwd", content=b"tekst", enqueue=False)
        assert document.file_name == "passwd"
        assert document.file.name.startswith("originals/")


class TestRunning:
    def test_running_a_job_twice_indexes_once(self, public: Collection) -> None:
        document = add(public)
        job = waiting(document)
        run_job(str(job.pk))
        run_job(str(job.pk))
        assert Document.objects.get().chunk_count == Chunk.objects.count()
        assert Job.objects.get().attempts == 1

    def test_a_job_that_somebody_runs_is_left_alone(self, public: Collection) -> None:
        job = waiting(add(public))
        Job.objects.update(status=Job.Status.RUNNING, heartbeat=timezone.now())
        run_job(str(job.pk))
        assert not Chunk.objects.exists()

    def test_a_job_whose_worker_died_is_taken_up_again(self, public: Collection) -> None:
        add(public)
        Job.objects.update(status=Job.Status.RUNNING, heartbeat=timezone.now() - timedelta(hours=1))
        assert recover_jobs() == 1
        assert OrmQ.objects.count() == 1
        run_job(str(Job.objects.get().pk))
        assert Document.objects.get().status == Document.Status.READY

    def test_a_job_that_never_reached_the_queue_is_found(self, public: Collection) -> None:
        add(public)
        assert recover_jobs() == 0
        Job.objects.update(created=timezone.now() - timedelta(hours=1))
        assert recover_jobs() == 1

    def test_a_lost_job_is_found_though_chores_of_the_same_minute_wait(self, public: Collection) -> None:
        add(public)
        Job.objects.update(created=timezone.now() - timedelta(hours=1))
        for chore in CHORES[:3]:
            async_task(chore.func)
        assert recover_jobs() == 1

    def test_a_job_that_waits_its_turn_in_a_long_queue_is_not_sent_again(self, public: Collection) -> None:
        add(public)
        Job.objects.update(created=timezone.now() - timedelta(hours=1))
        for _ in range(len(CHORES) + 1):
            async_task("ingestion.jobs.recover_jobs")
        assert recover_jobs() == 0

    def test_what_a_killed_worker_had_taken_to_do_next_does_not_wait_for_its_lock(self, public: Collection) -> None:
        add(public)
        send(Job.objects.get().pk, Job.Kind.INDEX_DOCUMENT)
        OrmQ.objects.update(lock=timezone.now() + timedelta(hours=1))
        assert queue_size() == 0
        release_messages()
        assert queue_size() == 1

    def test_an_old_job_that_is_due_again_is_sent_and_counted_once(self, public: Collection) -> None:
        add(public)
        long_ago = timezone.now() - timedelta(hours=1)
        Job.objects.update(created=long_ago, due=long_ago)
        assert recover_jobs() == 1
        assert OrmQ.objects.count() == 1

    def test_a_document_that_kills_workers_is_given_up(self, public: Collection) -> None:
        document = add(public)
        Job.objects.update(attempts=3)
        run_job(str(waiting(document).pk))
        document.refresh_from_db()
        assert (document.status, document.error_code) == (Document.Status.FAILED, "gave_up")

    def test_a_missing_original_is_a_failure_not_a_crash(self, public: Collection, settings: Any) -> None:
        document = add(public)
        Path(document.file.path).unlink()
        run_job(str(waiting(document).pk))
        document.refresh_from_db()
        assert document.status == Document.Status.FAILED

    def test_content_that_changed_meanwhile_is_not_overwritten(self, public: Collection) -> None:
        slow = add(public)
        add(public, "Nowsza wersja.")
        extracted = ExtractedText(text="Stara wersja.", extractor="plain")
        assert replace_document(slow, [IndexedText(extracted=extracted, chunks=[])]) is False


class TestPeople:
    def test_a_failed_job_can_be_tried_again(self, public: Collection, index: AddDocument) -> None:
        document = index(public, b"%PDF-1.7 broken", name="a.pdf")
        job = retry_job(job=document.jobs.get())
        assert job.status == Job.Status.QUEUED
        with pytest.raises(IngestionError):
            retry_job(job=job)

    def test_a_job_that_has_ended_cannot_be_cancelled(self, public: Collection, index: AddDocument) -> None:
        document = add(public)
        cancel_job(job=waiting(document))
        assert document.jobs.get().status == Job.Status.CANCELLED
        with pytest.raises(IngestionError):
            cancel_job(job=document.jobs.get())

    def test_a_cancelled_document_says_so_and_can_be_wanted_again(self, public: Collection) -> None:
        document = add(public)
        cancel_job(job=waiting(document))
        document.refresh_from_db()
        assert (document.status, document.error_code) == (Document.Status.FAILED, "cancelled")
        run_job(str(retry_job(job=document.jobs.get()).pk))
        document.refresh_from_db()
        assert (document.status, document.error_code) == (Document.Status.READY, "")

    def test_a_job_is_not_tried_again_beside_a_newer_one(self, public: Collection, index: AddDocument) -> None:
        document = index(public, b"%PDF-1.7 broken", name="a.pdf")
        failed = document.jobs.get()
        reindex_document(document=document)
        with pytest.raises(IngestionError):
            retry_job(job=failed)

    def test_one_waiting_job_a_document(self, public: Collection) -> None:
        document = add(public)
        assert reindex_document(document=document) == waiting(document)

    def test_an_archived_document_leaves_the_index_and_comes_back(self, public: Collection, index: AddDocument) -> None:
        document = index(public, TEXT)
        archive_document(document=document)
        assert not Posting.objects.exists()
        restore_document(document=document)
        run_job(str(waiting(document).pk))
        document.refresh_from_db()
        assert document.status == Document.Status.READY
        assert Posting.objects.exists()

    def test_a_job_still_waiting_does_not_bring_an_archived_document_back(
        self, public: Collection, index: AddDocument
    ) -> None:
        document = index(public, TEXT)
        job = reindex_document(document=document)
        archive_document(document=document)
        run_job(str(job.pk))
        document.refresh_from_db()
        assert document.status == Document.Status.ARCHIVED
        assert not Posting.objects.exists()

    def test_deleting_takes_everything_but_a_shared_original(
        self, public: Collection, index: AddDocument, django_capture_on_commit_callbacks: Any
    ) -> None:
        first, second = index(public, TEXT, name="a.txt"), index(public, TEXT, name="b.txt")
        path = Path(first.file.path)
        with django_capture_on_commit_callbacks(execute=True):
            delete_document(document=first)
        assert path.exists()
        with django_capture_on_commit_callbacks(execute=True):
            delete_document(document=second)
        assert not path.exists()
        assert not Posting.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_packing_the_index_changes_no_posting(index: AddDocument) -> None:
    collection = Collection.objects.create(name="Publiczna", slug="publiczna", visibility="public")
    index(collection, TEXT)
    before = set(Posting.objects.values_list("term_id", "chunk_id", "lemma_count"))
    maintain_index()
    assert set(Posting.objects.values_list("term_id", "chunk_id", "lemma_count")) == before


@pytest.mark.django_db(transaction=True)
def test_a_document_whose_new_index_cannot_be_written_keeps_its_old_one(index: AddDocument) -> None:
    collection = Collection.objects.create(name="Publiczna", slug="publiczna", visibility="public")
    document = index(collection, TEXT)
    before = set(Posting.objects.values_list("term_id", "chunk_id", "lemma_count"))
    text = "Nowy tekst o fakturach."
    draft = ChunkDraft(text=text, start=0, end=len(text), line_start=1, line_end=1, page_start=2**40, page_end=2**40)
    broken = IndexedChunk(draft=draft, words=[("nowy", "nowy")], vectors={})
    with pytest.raises(DataError):
        replace_document(
            document, [IndexedText(extracted=ExtractedText(text=text, extractor="plain"), chunks=[broken])]
        )
    assert [chunk.text for chunk in Chunk.objects.filter(document=document)] == [TEXT]
    assert set(Posting.objects.values_list("term_id", "chunk_id", "lemma_count")) == before
    document.refresh_from_db()
    assert (document.status, document.chunk_count) == (Document.Status.READY, 1)
