"""The ladder that the slices of every kind of job go down: what a slice meets decides what the job's row says."""

import logging
from typing import Any

import pytest
from django.db.utils import OperationalError
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django_q.exceptions import TimeoutException

from ingestion.errors import StorageFailed
from ingestion.jobs.ending import finish
from ingestion.jobs.slices import Slice, run_slice
from ingestion.models import Job

pytestmark = pytest.mark.django_db


class Meeting(Slice[BaseException | str]):
    """Meets its subject: raises it, or is done."""

    kind = "meeting"
    logged = ("subject", "subject")
    gave_up = gettext_lazy("The worker ended %(n)d times during this job.")

    def advance(self) -> None:
        if isinstance(self.subject, BaseException):
            raise self.subject
        finish(self.job, Job.Status.SUCCEEDED)

    def time_out(self) -> None:
        self.fail("too_slow", "")


@pytest.fixture
def job() -> Job:
    now = timezone.now()
    return Job.objects.create(
        kind=Job.Kind.MEASUREMENT, status=Job.Status.RUNNING, attempts=1, started=now, heartbeat=now
    )


def ended(job: Job) -> tuple[str, str]:
    job.refresh_from_db()
    return job.status, job.error_code


@pytest.mark.parametrize(
    ("subject", "status", "code"),
    [
        ("work", "succeeded", ""),
        (None, "cancelled", ""),
        (StorageFailed("Pełny dysk."), "failed", "storage"),
        (ValueError("x"), "failed", "unexpected"),
    ],
)
def test_what_a_slice_meets_is_written_to_its_job(job: Job, subject: Any, status: str, code: str) -> None:
    run_slice(job, subject, Meeting)
    assert ended(job) == (status, code)


def test_a_job_whose_worker_died_too_often_is_not_begun_again(job: Job, settings: Any) -> None:
    settings.RAG = {**settings.RAG, "ingestion": {"max_attempts": 2}}
    job.attempts = 3
    run_slice(job, "work", Meeting)
    assert ended(job) == ("failed", "gave_up")
    assert "2" in job.error_message


def test_only_what_nobody_expected_is_logged(job: Job, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.ERROR, logger="knowledgetree.jobs"):
        run_slice(job, StorageFailed("Pełny dysk."), Meeting)
        assert not caplog.records
        run_slice(job, ValueError("x"), Meeting)
    assert [record.getMessage() for record in caplog.records] == ["meeting failed"]


@pytest.mark.parametrize("error", [OperationalError("gone"), KeyboardInterrupt()])
def test_what_ends_the_database_or_the_program_leaves_the_job_to_who_runs_jobs(job: Job, error: BaseException) -> None:
    with pytest.raises(type(error)):
        run_slice(job, error, Meeting)
    assert ended(job) == ("running", "")


def test_a_job_that_the_queue_interrupts_says_so_and_frees_its_worker(job: Job) -> None:
    with pytest.raises(TimeoutException):
        run_slice(job, TimeoutException("1800 s"), Meeting)
    assert ended(job) == ("failed", "too_slow")
