"""Work of another app for the worker, and the groups of documents that it makes."""

from uuid import UUID

from django.db import transaction

from ingestion.jobs import enqueue
from ingestion.models import Collection, Job

_UNFINISHED = (Job.Status.QUEUED, Job.Status.RUNNING)


@transaction.atomic
def start_grouping(*, collection: Collection) -> Job:
    """Have the groups made by a worker; the job that waits or runs already, where there is one."""
    wanted = {"kind": Job.Kind.COMMUNITIES, "collection": collection, "status__in": _UNFINISHED}
    job, created = Job.objects.get_or_create(**wanted, defaults={"status": Job.Status.QUEUED})
    if created:
        enqueue(job)
    return job


class QueuedWork:
    """`ingestion.types.BackgroundWork` with the queue of jobs."""

    def enqueue(self, job: UUID) -> None:
        enqueue(Job.objects.get(pk=job))

    def group_documents(self, collection: int) -> None:
        start_grouping(collection=Collection.objects.get(pk=collection))
