"""Every entry point of the task queue: thin, idempotent, called with primary keys only."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.db import connection, connections, transaction
from django.db.models import F, Q
from django.db.utils import InterfaceError, OperationalError
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django_q.tasks import async_task, queue_size

from ingestion.models import Document, Job
from ingestion.pipeline import ingest
from knowledgetree.conf import rag_settings
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.logs import traced

log = logging.getLogger("knowledgetree.jobs")

_PROGRESS_INTERVAL = 0.5  # seconds between writes of the progress


def enqueue(job: Job) -> None:
    """Hand the job to the worker once the current transaction is committed."""
    transaction.on_commit(lambda: async_task("ingestion.jobs.run_job", str(job.pk), task_name=str(job.pk)))


def run_job(job_id: str) -> None:
    """Do the job unless somebody else does or did it. Safe to call any number of times."""
    with traced(job_id.replace("-", "")), translation.override("pl"):
        job = _claim(job_id)
        if job is None:
            return
        with _heartbeat(job):
            _run(job)


def recover_jobs() -> int:
    """Take up again what killed workers left and what never reached the queue; returns how many."""
    stale = timezone.now() - timedelta(seconds=rag_settings().ingestion.stale_seconds)
    abandoned = list(Job.objects.filter(status=Job.Status.RUNNING, heartbeat__lt=stale).values_list("pk", flat=True))
    for pk in abandoned:
        Job.objects.filter(pk=pk, status=Job.Status.RUNNING, heartbeat__lt=stale).update(heartbeat=None)
        async_task("ingestion.jobs.run_job", str(pk), task_name=str(pk))
    if queue_size() > len(abandoned):  # the others wait their turn
        return len(abandoned)
    lost = list(Job.objects.filter(status=Job.Status.QUEUED, created__lt=stale).values_list("pk", flat=True))
    for pk in lost:
        async_task("ingestion.jobs.run_job", str(pk), task_name=str(pk))
    return len(abandoned) + len(lost)


def maintain_index() -> None:
    """Pack the index of the postings, which grows half empty as documents come in; searches go on meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute("REINDEX INDEX CONCURRENTLY ingestion_posting_pkey")
        cursor.execute("VACUUM (ANALYZE) ingestion_posting")


def _claim(job_id: str) -> Job | None:
    """Make the job ours, in one statement, so that two workers never both hold it."""
    now = timezone.now()
    stale = now - timedelta(seconds=rag_settings().ingestion.stale_seconds)
    free = Q(status=Job.Status.QUEUED) | Q(status=Job.Status.RUNNING) & (Q(heartbeat=None) | Q(heartbeat__lt=stale))
    claimed = Job.objects.filter(free, pk=job_id).update(
        status=Job.Status.RUNNING,
        attempts=F("attempts") + 1,
        started=now,
        heartbeat=now,
        error_code="",
        error_message="",
    )
    return Job.objects.select_related("document").get(pk=job_id) if claimed else None


def _run(job: Job) -> None:
    settings = rag_settings().ingestion
    document = job.document
    if document is None:
        _finish(job, Job.Status.CANCELLED)
        return
    if job.attempts > settings.max_attempts:
        _fail(
            job,
            document,
            "gave_up",
            _("The worker ended %(n)d times while reading this document.") % {"n": job.attempts - 1}
            + " "
            + _("The file may need more memory than the worker has; split it."),
        )
        return
    Document.objects.filter(pk=document.pk, chunk_count=0).update(status=Document.Status.PROCESSING)
    try:
        ingest(document, settings, _ProgressWriter(job))
    except KnowledgeTreeError as error:
        _fail(job, document, error.code, str(error))
    except (OperationalError, InterfaceError):
        raise  # the database went away: the heartbeat stops, and the job is taken up again
    except Exception:
        log.exception("indexing failed", extra={"fields": {"document": document.pk}})
        _fail(job, document, "unexpected", _("An unexpected error; the log has it under %(id)s.") % {"id": job.pk.hex})
    else:
        _finish(job, Job.Status.SUCCEEDED)


def _finish(job: Job, status: Job.Status) -> None:
    Job.objects.filter(pk=job.pk).update(
        status=status, stage=Job.Stage.FINISHED, done=F("total"), finished=timezone.now(), heartbeat=timezone.now()
    )


def _fail(job: Job, document: Document, code: str, message: str) -> None:
    """A document that has chunks keeps serving them: its last good version is better than none."""
    with transaction.atomic():
        Document.objects.filter(pk=document.pk).update(error_code=code, error_message=message)
        Document.objects.filter(pk=document.pk, chunk_count=0).update(status=Document.Status.FAILED)
        Job.objects.filter(pk=job.pk).update(
            status=Job.Status.FAILED, error_code=code, error_message=message, finished=timezone.now()
        )


class _ProgressWriter:
    """Writes the progress to the job, not more often than people can see."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._stage = ""
        self._written = 0.0

    def __call__(self, stage: str, done: int, total: int) -> None:
        now = time.monotonic()
        if stage == self._stage and now - self._written < _PROGRESS_INTERVAL:
            return
        self._stage, self._written = stage, now
        Job.objects.filter(pk=self._job.pk).update(stage=stage, done=done, total=total, heartbeat=timezone.now())


@contextmanager
def _heartbeat(job: Job) -> Iterator[None]:
    """Show every few seconds, from a thread of its own, that the worker lives."""
    ended = threading.Event()
    interval = rag_settings().ingestion.stale_seconds / 4

    def beat() -> None:
        while not ended.wait(interval):
            try:
                Job.objects.filter(pk=job.pk, status=Job.Status.RUNNING).update(heartbeat=timezone.now())
            except (OperationalError, InterfaceError):
                log.warning("the heartbeat did not reach the database")
            finally:
                connections.close_all()

    thread = threading.Thread(target=beat, name=f"heartbeat-{job.pk}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
