"""Jobs on their way to a worker."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django_q.models import OrmQ
from django_q.tasks import async_task, queue_size

from ingestion.models import Job
from knowledgetree.conf import rag_settings


def enqueue(job: Job) -> None:
    """Hand the job to the worker once the current transaction is committed."""
    transaction.on_commit(lambda: _send(job.pk))


def recover_jobs() -> int:
    """Take up again what killed workers left, what waited after a failure, and what never reached the queue.

    Returns how many.
    """
    stale = _stale()
    taken = [
        *_taken(Q(status=Job.Status.RUNNING, heartbeat__lt=stale), heartbeat=None),
        *_taken(Q(status=Job.Status.QUEUED, due__lte=timezone.now()), due=None),
    ]
    if queue_size() <= len(taken):  # else the others wait their turn
        lost = Job.objects.filter(status=Job.Status.QUEUED, created__lt=stale, due=None).exclude(pk__in=taken)
        taken += _sent(lost.values_list("pk", flat=True))
    return len(taken)


def forget(job: Job) -> None:
    """Take the job's messages out of the queue, after a process did it that was no worker."""
    for message in OrmQ.objects.all():
        if message.name() == str(job.pk):
            message.delete()


def claimable() -> Q:
    """The jobs that nobody does: they wait and are due, or whoever did them is dead."""
    due = Q(due=None) | Q(due__lte=timezone.now())
    abandoned = Q(heartbeat=None) | Q(heartbeat__lt=_stale())
    return Q(status=Job.Status.QUEUED) & due | Q(status=Job.Status.RUNNING) & abandoned


def _taken(which: Q, **fields: None) -> list[UUID]:
    """Those that were still so when their mark was taken off are sent; two recoveries send none twice."""
    keys = list(Job.objects.filter(which).values_list("pk", flat=True))
    return _sent(key for key in keys if Job.objects.filter(which, pk=key).update(**fields))


def _sent(keys: Iterable[UUID]) -> list[UUID]:
    sent = list(keys)
    for key in sent:
        _send(key)
    return sent


def _send(key: UUID) -> None:
    async_task("ingestion.jobs.run_job", str(key), task_name=str(key))


def _stale() -> datetime:
    return timezone.now() - timedelta(seconds=rag_settings().ingestion.stale_seconds)
