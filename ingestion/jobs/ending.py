"""What is written to a job while it runs and when it ends."""

import time

from django.db.models import F
from django.utils import timezone

from ingestion.models import Job

_PROGRESS_INTERVAL = 0.5  # seconds between writes of the progress


def finish(job: Job, status: Job.Status) -> None:
    Job.objects.filter(pk=job.pk).update(
        status=status, stage=Job.Stage.FINISHED, done=F("total"), finished=timezone.now(), heartbeat=timezone.now()
    )


def fail(job: Job, code: str, message: str) -> None:
    Job.objects.filter(pk=job.pk).update(
        status=Job.Status.FAILED, error_code=code, error_message=message, finished=timezone.now()
    )


class ProgressWriter:
    """Writes the progress to the job, not more often than people can see."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._stage = ""
        self._written = 0.0

    def __call__(self, stage: str, done: int, total: int, *, rate: float | None = None) -> None:
        now = time.monotonic()
        if stage == self._stage and now - self._written < _PROGRESS_INTERVAL:
            return
        self._stage, self._written = stage, now
        Job.objects.filter(pk=self._job.pk).update(
            stage=stage, done=done, total=total, rate=rate, heartbeat=timezone.now()
        )
