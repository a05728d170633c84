"""Jobs that a command does itself, beside any worker, and watches meanwhile."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import copy_context

from ingestion.jobs import run_job
from ingestion.jobs.queue import forget
from ingestion.models import Job
from knowledgetree.postgres.connections import borrowed_connections

_LOOK_SECONDS = 0.5
_UNFINISHED = (Job.Status.QUEUED, Job.Status.RUNNING)


def finish_job(job: Job, *, look: Callable[[Job], None], after_attempt: Callable[[], None]) -> None:
    """Take part in the job until it ends. `look` sees it twice a second; what waits after a failure is tried again."""
    try:
        with watched(job, look):
            while _is_unfinished(job):
                run_job(str(job.pk))
                after_attempt()
                if _is_unfinished(job):
                    time.sleep(_LOOK_SECONDS)  # a worker has it, or it waits after a failure
    finally:
        forget(job)


@contextmanager
def watched(job: Job, look: Callable[[Job], None]) -> Iterator[None]:
    """Meanwhile `look` sees the job as it is, from a thread of its own, in the language of this one."""
    ended = threading.Event()

    @borrowed_connections()
    def watch() -> None:
        while not ended.wait(_LOOK_SECONDS):
            if now := Job.objects.select_related("space", "rechunking").filter(pk=job.pk).first():
                look(now)

    watcher = threading.Thread(target=copy_context().run, args=[watch], daemon=True)
    watcher.start()
    try:
        yield
    finally:
        ended.set()
        watcher.join()


def _is_unfinished(job: Job) -> bool:
    return Job.objects.filter(pk=job.pk, status__in=_UNFINISHED).exists()
