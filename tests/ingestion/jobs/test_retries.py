"""What may pass is tried again by itself, later and later; what a file says is final."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from django_q.exceptions import TimeoutException
from django_q.models import OrmQ

from ingestion.jobs import ending, recover_jobs, run_job
from ingestion.jobs.ending import JobStopped, ProgressWriter, finish, put_back, retry_later
from ingestion.models import Chunk, Collection, Document, EmbeddingSpace, Job
from ingestion.services.documents import add_document, reindex_document
from tests.installation import free_port


def add(collection: Collection, text: str = "Urlop trwa 26 dni.", **fields: Any) -> Document:
    return add_document(collection=collection, name="a.txt", content=text.encode(), enqueue=False, **fields)


def job_of(document: Document) -> Job:
    return document.jobs.latest("created")


def run(document: Document) -> tuple[Job, Document]:
    Job.objects.filter(document=document, status="queued").update(due=None)
    run_job(str(job_of(document).pk))
    document.refresh_from_db()
    return job_of(document), document


@pytest.fixture
def folder_in_the_way(public: Collection) -> Iterator[Document]:
    """A document whose original cannot be read now: a disk that answers with errors."""
    document = add(public)
    original = Path(document.file.path)
    kept = original.rename(original.with_suffix(".kept"))
    original.mkdir()
    yield document
    assert kept.exists() or original.is_file()


def mend(document: Document) -> None:
    original = Path(document.file.path)
    original.rmdir()
    original.with_suffix(".kept").rename(original)


class TestWaiting:
    def test_a_disk_that_fails_is_asked_again_later(self, folder_in_the_way: Document) -> None:
        job, document = run(folder_in_the_way)
        assert (job.status, job.failures, job.attempts, job.error_code) == ("queued", 1, 0, "storage")
        assert document.status == Document.Status.QUEUED
        assert 10 < (job.due - timezone.now()).total_seconds() <= 15
        mend(document)
        run_job(str(job.pk))
        assert not Chunk.objects.exists(), "not before it is due"
        Job.objects.update(due=timezone.now())
        assert recover_jobs() == 1
        assert OrmQ.objects.count() == 1
        job, document = run(document)
        assert (job.status, document.status, job.error_code) == ("succeeded", "ready", "")

    def test_every_wait_is_twice_as_long_up_to_an_hour(self, folder_in_the_way: Document) -> None:
        for failures, longest in ((0, 15), (1, 30), (2, 60), (7, 1920), (8, 3600), (11, 3600)):
            Job.objects.update(failures=failures)
            job, _ = run(folder_in_the_way)
            assert 0.8 * longest - 2 < (job.due - timezone.now()).total_seconds() <= longest

    def test_no_try_comes_before_the_time_that_a_server_asked_for(self, public: Collection) -> None:
        job = job_of(add(public))
        for asked, least in ((3600.0, 3590), (0.0, 0)):
            Job.objects.update(status="running", started=timezone.now(), heartbeat=timezone.now())
            job.refresh_from_db()
            retry_later(job, "busy", "Serwer jest zajęty.", first=10.0, longest=60.0, asked=asked)
            job.refresh_from_db()
            assert least < (job.due - timezone.now()).total_seconds() <= max(asked, 20.0)

    def test_after_many_failures_it_fails_for_good(self, folder_in_the_way: Document) -> None:
        Job.objects.update(failures=12)
        job, document = run(folder_in_the_way)
        assert (job.status, document.status, document.error_code) == ("failed", "failed", "storage")

    def test_an_embedder_that_is_down_is_waited_for(self, public: Collection, settings: Any) -> None:
        address = f"http://127.0.0.1:{free_port()}/v1"
        components = {**settings.RAG["components"]}
        http = {**components["embedders"]["http"]}
        http["options"] = {**http["options"], "url": address, "model": "model", "dimension": 4}
        components["embedders"] = {**components["embedders"], "http": http}
        settings.RAG = {**settings.RAG, "embedder": "http", "components": components}
        EmbeddingSpace.objects.all().delete()
        job, _ = run(add(public))
        assert (job.status, job.failures, job.error_code) == ("queued", 1, "embedder_unavailable")

    @pytest.mark.parametrize("content", [b"%PDF-1.7 broken", b"\0\1\2" * 99])
    def test_a_bad_file_is_not_tried_again(self, public: Collection, content: bytes) -> None:
        job, document = run(add_document(collection=public, name="a.pdf", content=content, enqueue=False))
        assert (job.status, job.failures, document.status) == ("failed", 0, "failed")

    def test_a_newer_job_of_the_document_takes_the_place_of_one_that_would_wait(
        self, folder_in_the_way: Document
    ) -> None:
        old = job_of(folder_in_the_way)
        Job.objects.update(status="running", started=timezone.now(), heartbeat=timezone.now())
        old.refresh_from_db()
        new = reindex_document(document=folder_in_the_way)
        put_back(old, seconds=10)
        assert set(Job.objects.values_list("pk", "status")) == {(old.pk, "cancelled"), (new.pk, "queued")}


class TestStopping:
    def running(self, collection: Collection) -> Job:
        job = job_of(add(collection))
        Job.objects.update(status="running", started=timezone.now(), heartbeat=timezone.now())
        job.refresh_from_db()
        return job

    def test_a_cancelled_job_ends_at_its_next_sign_of_progress(
        self, public: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(ending, "_PROGRESS_INTERVAL", 0.0)
        job = self.running(public)
        write = ProgressWriter(job)
        write("extracting", 1, 9)
        Job.objects.update(status="cancelled")
        with pytest.raises(JobStopped):
            write("chunking", 0, 1)

    @pytest.mark.parametrize(("interval", "written"), [(3600.0, 1), (0.0, 3)], ids=["small", "large"])
    def test_a_small_document_writes_one_stage_a_large_one_each(
        self,
        public: Collection,
        django_assert_num_queries: Any,
        monkeypatch: pytest.MonkeyPatch,
        interval: float,
        written: int,
    ) -> None:
        """A small one is done before the interval is over, and one stage of a large one takes longer."""
        monkeypatch.setattr(ending, "_PROGRESS_INTERVAL", interval)
        write = ProgressWriter(self.running(public))
        with django_assert_num_queries(written):
            for stage in ("extracting", "chunking", "analysing"):
                write(stage, 0, 1)

    def test_who_was_taken_for_dead_writes_nothing_any_more(self, public: Collection) -> None:
        job = self.running(public)
        Job.objects.update(started=timezone.now() + timedelta(seconds=1))  # by another worker
        finish(job, Job.Status.SUCCEEDED)
        put_back(job)
        assert Job.objects.get().status == "running"
        with pytest.raises(JobStopped):
            ProgressWriter(job)("chunking", 0, 1)

    @pytest.mark.slow
    def test_a_job_cancelled_while_it_runs_stays_cancelled(
        self, public: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        document = add(public)
        report = ProgressWriter.__call__

        def cancelled_at_once(self: ProgressWriter, *args: Any, **kwargs: Any) -> None:
            Job.objects.update(status="cancelled")
            report(self, *args, **kwargs)

        monkeypatch.setattr(ProgressWriter, "__call__", cancelled_at_once)
        job, document = run(document)
        assert job.status == "cancelled"
        assert not Chunk.objects.exists()

    def test_a_job_that_lasts_too_long_fails_and_frees_its_worker(
        self, public: Collection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        document = add(public)

        def interrupted(self: ProgressWriter, *args: Any, **kwargs: Any) -> None:
            raise TimeoutException  # as the queue's alarm does, wherever the job is

        monkeypatch.setattr(ProgressWriter, "__call__", interrupted)
        with pytest.raises(TimeoutException):
            run(document)
        document.refresh_from_db()
        assert (job_of(document).status, document.status, document.error_code) == ("failed", "failed", "too_slow")

    def test_the_queue_knows_how_long_an_indexing_job_may_last(
        self, public: Collection, settings: Any, django_capture_on_commit_callbacks: Any
    ) -> None:
        settings.RAG = {**settings.RAG, "ingestion": {"index_seconds": 77}}
        with django_capture_on_commit_callbacks(execute=True):
            add_document(collection=public, name="a.txt", content=b"tekst")
        assert OrmQ.objects.get().task["timeout"] == 77
