"""The log of a job: its last attempts, how each ended and why."""

import os
import socket
from collections.abc import Sequence

from django.utils import timezone

from ingestion.jobs.queue import stale
from ingestion.models import Job, JobAttempt

KEPT = 20
"""Attempts of a job; older ones are forgotten."""

_Outcome = JobAttempt.Outcome
_LONGEST = 2000  # characters of a message
_ENDED = {
    Job.Status.SUCCEEDED.value: _Outcome.SUCCEEDED,
    Job.Status.FAILED.value: _Outcome.FAILED,
    Job.Status.CANCELLED.value: _Outcome.CANCELLED,
}


def begin_attempt(job: Job) -> None:
    """Call it in the transaction that claimed the job."""
    started = job.started or timezone.now()
    fields = {"claimed": started, "worker": f"{socket.gethostname()[:80]}, {os.getpid()}"}
    kept = list(job.log.values_list("pk", "outcome")[:KEPT])
    if kept and kept[0][1] == _Outcome.YIELDED:
        job.log.filter(pk=kept[0][0]).update(outcome=_Outcome.RUNNING, finished=None, **fields)
        return
    if len(kept) == KEPT:
        job.log.exclude(pk__in=[key for key, _ in kept[:-1]]).delete()
    job.log.create(started=started, **fields)


def end_attempt(job: Job, outcome: JobAttempt.Outcome, *, code: str = "", message: str = "") -> None:
    """The attempt of whoever runs `job`; nothing happens where it has ended."""
    if job.started is None:
        return
    job.log.filter(claimed=job.started, outcome=_Outcome.RUNNING).update(
        outcome=outcome, finished=timezone.now(), error_code=code, error_message=message[:_LONGEST]
    )


def end_stopped_attempt(job: Job) -> None:
    """Ends the attempt of a job that was cancelled while it ran, or that was taken for abandoned."""
    cancelled = Job.objects.filter(pk=job.pk, status=Job.Status.CANCELLED, started=job.started).exists()
    end_attempt(job, _Outcome.CANCELLED if cancelled else _Outcome.INTERRUPTED)


def attempts_of(job: Job) -> Sequence[JobAttempt]:
    """The last attempts, newest first, with their true outcomes: an open one that nobody runs was interrupted."""
    attempts = list(job.log.all()[:KEPT])
    for attempt in attempts:
        if attempt.outcome == _Outcome.RUNNING:
            attempt.outcome = _true_outcome(attempt, job)
    return attempts


def _true_outcome(attempt: JobAttempt, job: Job) -> JobAttempt.Outcome:
    if attempt.claimed != job.started:  # it was taken up again since
        return _Outcome.INTERRUPTED
    alive = job.status == Job.Status.RUNNING and job.heartbeat is not None and job.heartbeat >= stale()
    return _Outcome.RUNNING if alive else _ENDED.get(job.status, _Outcome.INTERRUPTED)
