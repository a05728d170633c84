"""Running a job: claimed, alive while it runs, and ended in a state that people understand."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import transaction
from django.db.models import F
from django.db.utils import InterfaceError, OperationalError
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from ingestion.jobs.attempts import begin_attempt, end_stopped_attempt
from ingestion.jobs.ending import JobStopped, held, retry_later
from ingestion.jobs.indexing import index_document
from ingestion.jobs.outside import run_outside
from ingestion.jobs.queue import claimable
from ingestion.jobs.rechunking import rechunk_collections
from ingestion.jobs.reembedding import reembed
from ingestion.jobs.syncing import sync_source
from ingestion.jobs.turns import call_next, has_turn
from ingestion.models import Job
from knowledgetree.conf import rag_settings
from knowledgetree.logs import trace_of, traced
from knowledgetree.postgres.connections import borrowed_connections, drop_broken_connection
from knowledgetree.tracing import OpenSpan, span

log = logging.getLogger("knowledgetree.jobs")

_KINDS: dict[str, Callable[[Job], None]] = {
    Job.Kind.INDEX_DOCUMENT: index_document,
    Job.Kind.REEMBED: reembed,
    Job.Kind.RECHUNK: rechunk_collections,
    Job.Kind.SYNC_SOURCE: sync_source,
    Job.Kind.MEASUREMENT: run_outside,
    Job.Kind.OPTIMIZATION: run_outside,
    Job.Kind.COMMUNITIES: run_outside,
}


def run_job(job_id: str) -> None:
    """Do the job unless somebody else does or did it. Safe to call any number of times."""
    number = job_id.replace("-", "")
    with traced(number, job=number), translation.override("pl"):
        job = _claim(job_id)
        if job is None:
            return
        trace = trace_of(job.traceparent) if job.traceparent else number
        with traced(trace, job=number), span(job.kind, kind="consumer", parent=job.traceparent) as opened:
            opened.note({"knowledgetree.job": number, "knowledgetree.job.attempt": job.attempts})
            _run(job, opened)
        if job.collection_id is not None and rag_settings().ingestion.collection_concurrency:
            call_next(job.collection_id)


def _run(job: Job, opened: OpenSpan) -> None:
    try:
        with _heartbeat(job):
            _KINDS[job.kind](job)
        if job.error_code:
            opened.fail(job.error_code)
    except JobStopped:
        log.info("the job was cancelled or is run elsewhere")
        end_stopped_attempt(job)
    except (OperationalError, InterfaceError) as error:
        opened.fail("database")
        _wait_for_database(job, error)


def _wait_for_database(job: Job, error: Exception) -> None:
    """Where it does not even take the wish to wait, the heartbeat has stopped, and the job is taken up again."""
    log.warning("the database failed", exc_info=error)
    drop_broken_connection()
    first = rag_settings().ingestion.retry_seconds
    retry_later(job, "database", _("The database failed (%(error)s).") % {"error": error}, first=first, longest=600.0)


@transaction.atomic
def _claim(job_id: str) -> Job | None:
    """Make the job ours, in one statement, so that two workers never both hold it."""
    if not has_turn(job_id):
        return None
    now = timezone.now()
    claimed = Job.objects.filter(claimable(), pk=job_id).update(
        status=Job.Status.RUNNING,
        attempts=F("attempts") + 1,
        due=None,
        started=now,
        heartbeat=now,
        error_code="",
        error_message="",
    )
    if not claimed:
        return None
    job = Job.objects.select_related("document", "space", "rechunking", "source__collection").get(pk=job_id)
    begin_attempt(job)
    return job


@contextmanager
def _heartbeat(job: Job) -> Iterator[None]:
    """Show every few seconds, from a thread of its own, that the worker lives."""
    ended = threading.Event()
    interval = rag_settings().ingestion.stale_seconds / 4

    def beat() -> None:
        while not ended.wait(interval):
            with borrowed_connections():
                try:
                    held(job).update(heartbeat=timezone.now())
                except (OperationalError, InterfaceError):
                    log.warning("the heartbeat did not reach the database")

    thread = threading.Thread(target=beat, name=f"heartbeat-{job.pk}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
