"""What is written to a job while it runs and when it ends, as long as it is still whose who runs it."""

import random
import time
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from ingestion.jobs.attempts import end_attempt
from ingestion.jobs.queue import enqueue
from ingestion.models import Job, JobAttempt

_PROGRESS_INTERVAL = 0.5  # seconds between writes of the progress
_JITTER = 0.2  # share; so that what failed together does not come back together
_MOST_DOUBLINGS = 20
_Outcome = JobAttempt.Outcome


class JobStopped(BaseException):
    """The job was cancelled, or taken for abandoned and begun anew elsewhere; nothing may be written to it.

    Like asyncio's CancelledError no Exception, so that no handler takes it for a failure of the work.
    """


def held(job: Job) -> "QuerySet[Job]":
    """The job's row, unless it was cancelled or somebody else runs it now: `started` tells one run from another."""
    return Job.objects.filter(pk=job.pk, status=Job.Status.RUNNING, started=job.started)


def finish(job: Job, status: Job.Status) -> None:
    now = timezone.now()
    if held(job).update(status=status, stage=Job.Stage.FINISHED, done=F("total"), finished=now, heartbeat=now):
        end_attempt(job, _Outcome(status.value))


def fail(job: Job, code: str, message: str) -> None:
    failed = Job.Status.FAILED
    if held(job).update(status=failed, error_code=code, error_message=message, finished=timezone.now()):
        end_attempt(job, _Outcome.FAILED, code=code, message=message)
        job.error_code = code


def put_back(job: Job, *, seconds: float = 0.0, **fields: Any) -> None:
    """Into the queue again, to be taken up after `seconds`. The worker lives, so no attempt counts as lost."""
    due = timezone.now() + timedelta(seconds=seconds) if seconds else None
    try:
        with transaction.atomic():
            put = held(job).update(status=Job.Status.QUEUED, attempts=0, due=due, heartbeat=timezone.now(), **fields)
            if put:
                code, message = fields.get("error_code", ""), fields.get("error_message", "")
                end_attempt(job, _Outcome.RETRIED if code else _Outcome.YIELDED, code=code, message=message)
            if put and not due:
                enqueue(job)
    except IntegrityError:  # a newer job of the same document waits, and will do what this one did not
        finish(job, Job.Status.CANCELLED)


def retry_later(job: Job, code: str, message: str, *, first: float, longest: float, asked: float = 0.0) -> None:
    """Into the queue again after `first` seconds, twice as many after every further failure, `longest` at most.

    Not before the `asked` seconds of a server are over.
    """
    seconds = min(longest, first * 2 ** min(job.failures, _MOST_DOUBLINGS))
    seconds *= random.uniform(1 - _JITTER, 1)  # noqa: S311
    put_back(job, seconds=max(seconds, asked), failures=job.failures + 1, error_code=code, error_message=message)


def forget_failures(job: Job, *, but: int = 0) -> None:
    """Something is done for good: earlier attempts and failures do not count any more, `but` so many."""
    if job.attempts or job.failures != but:
        job.attempts, job.failures = 0, but
        Job.objects.filter(pk=job.pk).update(attempts=0, failures=but)


class ProgressWriter:
    """Writes the progress to the job, not more often than people can see. Raises JobStopped.

    A small document is done before anybody sees its stages, and writing them would take longer than indexing it.
    """

    def __init__(self, job: Job) -> None:
        self._job = job
        self._stage = ""
        self._begun = self._written = time.monotonic()

    def __call__(self, stage: str, done: int, total: int, *, rate: float | None = None) -> None:
        now = time.monotonic()
        new_stage = not self._stage or (stage != self._stage and now - self._begun >= _PROGRESS_INTERVAL)
        if not new_stage and now - self._written < _PROGRESS_INTERVAL:
            return
        self._stage, self._written = stage, now
        written = held(self._job).update(stage=stage, done=done, total=total, rate=rate, heartbeat=timezone.now())
        if not written:
            raise JobStopped
