"""How far a space is, as people see it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone

from ingestion.models import EmbeddingSpace, Job
from ingestion.renewal.reembedding.missing_vectors import Progress, progress


@dataclass(frozen=True, slots=True, kw_only=True)
class SpaceState:
    """`job`: the latest that filled the space; `rate`: chunks a second while it runs; `ends`: when it will be full."""

    space: EmbeddingSpace
    progress: Progress
    job: Job | None = None
    rate: float | None = None
    ends: datetime | None = None


def space_state(space: EmbeddingSpace) -> SpaceState:
    counted = progress(space)
    job = space.jobs.filter(kind=Job.Kind.REEMBED).order_by("-created").first()
    rate = job.rate if job and job.status in (Job.Status.QUEUED, Job.Status.RUNNING) and not space.paused else None
    left = counted.total - counted.done
    ends = timezone.now() + timedelta(seconds=left / rate) if rate and left > 0 else None
    return SpaceState(space=space, progress=counted, job=job, rate=rate, ends=ends)
