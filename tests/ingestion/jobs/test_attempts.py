"""The log of a job: each attempt with its start, end, outcome and worker, the last twenty."""

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ingestion.jobs import run_job
from ingestion.jobs.attempts import KEPT, attempts_of
from ingestion.jobs.ending import ProgressWriter
from ingestion.jobs.running import _claim
from ingestion.models import Collection, Document, Job, JobAttempt, Source
from ingestion.services.documents import add_document
from ingestion.services.erasure import erase_document
from ingestion.services.jobs import retry_job
from ingestion.services.sources import start_sync


@pytest.fixture
def document(public: Collection) -> Document:
    return add_document(collection=public, name="a.txt", content=b"Urlop trwa 26 dni.", enqueue=False)


@pytest.fixture
def job(document: Document) -> Job:
    return document.jobs.get()


@pytest.fixture
def folder_in_the_way(document: Document) -> Iterator[None]:
    """The disk answers with errors."""
    original = Path(document.file.path)
    original.unlink()
    original.mkdir()
    yield
    original.rmdir()


def outcomes(job: Job) -> list[str]:
    job.refresh_from_db()
    return [attempt.outcome for attempt in attempts_of(job)]


def killed(job: Job) -> None:
    """A worker took the job up and was killed; its last sign of life is long ago."""
    assert _claim(str(job.pk))
    Job.objects.filter(pk=job.pk).update(heartbeat=timezone.now() - timedelta(hours=1))


def test_an_attempt_that_succeeds_has_its_times_and_its_worker(job: Job) -> None:
    run_job(str(job.pk))
    job.refresh_from_db()
    (attempt,) = attempts_of(job)
    assert (attempt.outcome, attempt.started, attempt.error_code) == ("succeeded", job.started, "")
    assert attempt.finished is not None
    assert attempt.started <= attempt.finished
    assert attempt.worker.endswith(f", {os.getpid()}")


@pytest.mark.usefixtures("folder_in_the_way")
def test_a_failure_that_may_pass_and_the_last_one_say_why(job: Job) -> None:
    run_job(str(job.pk))
    Job.objects.update(due=None, failures=12)
    run_job(str(job.pk))
    assert outcomes(job) == ["failed", "retried"]
    assert [attempt.error_code for attempt in attempts_of(job)] == ["storage", "storage"]
    assert all("oryginał" in attempt.error_message.lower() for attempt in attempts_of(job))


def test_the_attempt_of_a_killed_worker_is_interrupted_before_and_after_it_is_taken_up_again(job: Job) -> None:
    assert _claim(str(job.pk))
    assert outcomes(job) == ["running"]
    killed_at = timezone.now() - timedelta(hours=1)
    Job.objects.filter(pk=job.pk).update(heartbeat=killed_at)
    assert outcomes(job) == ["interrupted"]
    run_job(str(job.pk))
    assert outcomes(job) == ["succeeded", "interrupted"]
    assert [str(attempt.get_outcome_display()) for attempt in attempts_of(job)] == ["udana", "przerwana"]


@pytest.mark.slow
def test_an_attempt_that_was_cancelled_says_so(job: Job, monkeypatch: pytest.MonkeyPatch) -> None:
    report = ProgressWriter.__call__

    def cancelled_at_once(self: ProgressWriter, *args: Any, **kwargs: Any) -> None:
        Job.objects.update(status="cancelled")
        report(self, *args, **kwargs)

    monkeypatch.setattr(ProgressWriter, "__call__", cancelled_at_once)
    run_job(str(job.pk))
    assert outcomes(job) == ["cancelled"]
    assert JobAttempt.objects.get().finished is not None


def test_slices_of_a_job_are_one_attempt(public: Collection, tmp_path: Path, settings: Any) -> None:
    for n in range(4):
        (tmp_path / f"{n}.txt").write_text(f"Plik {n}.")
    options = {"folders": [str(tmp_path)], "sync_slice_seconds": 0.0}
    settings.RAG = {**settings.RAG, "ingestion": {**settings.RAG["ingestion"], **options}}
    source = Source.objects.create(collection=public, kind="folder", name="Pliki", location=str(tmp_path))
    job = start_sync(source=source, queue=False)
    run_job(str(job.pk))
    assert outcomes(job) == ["yielded"]
    began = JobAttempt.objects.get().started
    run_job(str(job.pk))
    assert outcomes(job) == ["yielded"]
    assert JobAttempt.objects.get().started == began
    settings.RAG = {**settings.RAG, "ingestion": {**settings.RAG["ingestion"], "sync_slice_seconds": 60.0}}
    run_job(str(job.pk))
    assert outcomes(job) == ["succeeded"]


def test_the_last_twenty_are_kept(job: Job) -> None:
    for _ in range(KEPT + 3):
        killed(job)
    assert outcomes(job) == ["interrupted"] * KEPT
    assert JobAttempt.objects.count() == KEPT


def test_the_log_goes_with_its_document(job: Job, document: Document) -> None:
    run_job(str(job.pk))
    erase_document(document=document)
    assert not JobAttempt.objects.exists()


class TestShown:
    @pytest.fixture
    def tried(self, job: Job) -> Job:
        """Killed once, then failed for good."""
        killed(job)
        Job.objects.update(attempts=4)
        run_job(str(job.pk))
        job.refresh_from_db()
        assert job.status == "failed"
        return job

    def test_the_page_of_the_job_lists_them(self, tried: Job, admin_client: Client) -> None:
        page = admin_client.get(reverse("admin:ingestion_job_change", args=[tried.pk]))
        assert [attempt.outcome for attempt, _ in page.context["panel"]["attempts"]] == ["failed", "interrupted"]
        text = page.content.decode()
        log = text[text.index('id="job-attempts"') :]
        assert log.index("nieudana") < log.index("przerwana")
        assert "gave_up" in log

    def test_the_api_gives_them_with_the_job_not_with_the_list(self, tried: Job, admin_client: Client) -> None:
        log = admin_client.get(f"/api/jobs/{tried.pk}").json()["log"]
        assert [(one["outcome"], one["error_code"]) for one in log] == [("failed", "gave_up"), ("interrupted", "")]
        assert set(log[0]) == {"started", "finished", "outcome", "error_code", "error_message", "worker"}
        assert "log" not in admin_client.get("/api/jobs").json()["results"][0]

    def test_a_person_who_tries_again_adds_to_the_log(self, tried: Job) -> None:
        retry_job(job=tried)
        run_job(str(tried.pk))
        assert outcomes(tried) == ["succeeded", "failed", "interrupted"]
