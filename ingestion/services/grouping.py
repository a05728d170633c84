"""Asking for the groups of documents of a collection; another app makes them."""

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
