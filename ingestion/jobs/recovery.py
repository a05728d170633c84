"""Every minute, and when a worker starts: what was left behind is taken up again."""

from collections.abc import Iterable
from uuid import UUID

from django.db.models import Q
from django.utils import timezone
from django_q.tasks import queue_size

from ingestion.jobs.queue import send, stale
from ingestion.jobs.turns import call_all
from ingestion.models import Job
from knowledgetree.schedules import CHORES


def recover_jobs() -> int:
    """Take up again what killed workers left, what waited after a failure, and what never reached the queue.

    Returns how many.
    """
    old = stale()
    taken = [
        *_take(Q(status=Job.Status.RUNNING, heartbeat__lt=old), heartbeat=None),
        *_take(Q(status=Job.Status.QUEUED, due__lte=timezone.now()), due=None),
    ]
    if queue_size() <= len(taken) + len(CHORES):  # else the others wait their turn; chores come together, this one too
        lost = Job.objects.filter(status=Job.Status.QUEUED, created__lt=old, due=None).exclude(pk__in=taken)
        taken += _send_all(lost.values_list("pk", "kind"))
    call_all()
    return len(taken)


def _take(which: Q, **fields: None) -> list[UUID]:
    """Those that were still so when their mark was taken off are sent; two recoveries send none twice."""
    found = list(Job.objects.filter(which).values_list("pk", "kind"))
    return _send_all((key, kind) for key, kind in found if Job.objects.filter(which, pk=key).update(**fields))


def _send_all(jobs: Iterable[tuple[UUID, str]]) -> list[UUID]:
    sent = list(jobs)
    for key, kind in sent:
        send(key, kind)
    return [key for key, _ in sent]
