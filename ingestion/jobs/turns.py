"""How many documents of a collection are indexed at once. What is too many waits for its turn, not for a worker."""

from datetime import timedelta

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from ingestion.jobs.queue import enqueue, stale
from ingestion.models import Collection, Job
from knowledgetree.conf import rag_settings

_LONGEST_WAIT = timedelta(days=1)  # then it asks by itself; before that, whoever ends calls it


def has_turn(job_id: str) -> bool:
    """Whether the job may run now; otherwise it waits for its turn.

    Call in the transaction that claims the job: until its end the collection's row is locked, so that two workers never
    count each other's absence.
    """
    limit = rag_settings().ingestion.collection_concurrency
    job = Job.objects.filter(pk=job_id, kind=Job.Kind.INDEX_DOCUMENT).first() if limit else None
    if job is None or job.collection_id is None or _running(job.collection_id).exclude(pk=job.pk).count() < limit:
        return True
    waiting = Job.objects.filter(pk=job.pk, status=Job.Status.QUEUED)
    waiting.update(stage=Job.Stage.TURN, due=timezone.now() + _LONGEST_WAIT)
    return False


@transaction.atomic
def call_next(collection_id: int) -> None:
    """Send those to the workers that have waited longest, as many as there is room for."""
    limit = rag_settings().ingestion.collection_concurrency
    if not (waiting := _waiting().filter(collection=collection_id)).exists():
        return
    room = max(0, limit - _running(collection_id).count()) if limit else None
    for job in waiting.order_by("created").select_for_update(skip_locked=True)[:room]:
        Job.objects.filter(pk=job.pk).update(stage=Job.Stage.WAITING, due=None)
        enqueue(job)


def call_all() -> None:
    """For turns that a killed worker did not pass on."""
    for collection_id in Collection.objects.filter(jobs__in=_waiting()).distinct().values_list("pk", flat=True):
        call_next(collection_id)


def _waiting() -> "QuerySet[Job]":
    return Job.objects.filter(status=Job.Status.QUEUED, stage=Job.Stage.TURN)


def _running(collection_id: int) -> "QuerySet[Job]":
    """Those of killed workers do not count. Locks the collection."""
    Collection.objects.select_for_update(no_key=True).filter(id=collection_id).first()
    return Job.objects.filter(
        collection=collection_id, kind=Job.Kind.INDEX_DOCUMENT, status=Job.Status.RUNNING, heartbeat__gte=stale()
    )
