"""Jobs on their way to a worker."""

from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django.utils import timezone
from django_q.models import OrmQ
from django_q.tasks import async_task

from ingestion.models import Job
from knowledgetree.conf import rag_settings


def enqueue(job: Job) -> None:
    """Hand the job to the worker once the current transaction is committed."""
    transaction.on_commit(lambda: send(job.pk, job.kind))


def want_job(kind: Job.Kind, *, queue: bool, **about: Model) -> Job:
    """The unfinished job about this row, due at once, or a new one. Without `queue` the caller runs it."""
    unfinished = Job.objects.filter(kind=kind, status__in=[Job.Status.QUEUED, Job.Status.RUNNING], **about)
    job = unfinished.first() or Job.objects.create(kind=kind, **about)
    Job.objects.filter(pk=job.pk).update(due=None)
    if queue and job.status == Job.Status.QUEUED:
        enqueue(job)
    return job


def cancel_waiting(jobs: "QuerySet[Job]") -> None:
    """Those that nobody has begun."""
    jobs.filter(status=Job.Status.QUEUED).update(status=Job.Status.CANCELLED, finished=timezone.now())


def forget(job: Job) -> None:
    """Take the job's messages out of the queue, after a process did it that was no worker."""
    for message in OrmQ.objects.all():
        if message.name() == str(job.pk):
            message.delete()


def release_messages() -> None:
    """Offer again what a killed worker had taken to do next; a job that is done or being done ignores its message."""
    now = timezone.now()
    OrmQ.objects.filter(lock__gt=now).update(lock=now)


def claimable() -> Q:
    """The jobs that nobody does: they wait and are due, or whoever did them is dead."""
    due = Q(due=None) | Q(due__lte=timezone.now())
    abandoned = Q(heartbeat=None) | Q(heartbeat__lt=stale())
    return Q(status=Job.Status.QUEUED) & due | Q(status=Job.Status.RUNNING) & abandoned


def stale() -> datetime:
    """The worker of a job whose last sign of life is older was killed."""
    return timezone.now() - timedelta(seconds=rag_settings().ingestion.stale_seconds)


def longest_heartbeat() -> datetime:
    """No living worker writes a later one: it is of before the clock was set back, and so may be its writer's end."""
    return timezone.now() + timedelta(seconds=rag_settings().ingestion.stale_seconds)


def send(key: UUID, kind: str) -> None:
    async_task("ingestion.jobs.run_job", str(key), task_name=str(key), timeout=_longest(kind))


def _longest(kind: str) -> int:
    """Seconds after which the queue interrupts a job, and ends its worker if that does not help."""
    most = int(str(settings.Q_CLUSTER["timeout"]))
    return min(most, rag_settings().ingestion.index_seconds) if kind == Job.Kind.INDEX_DOCUMENT else most
