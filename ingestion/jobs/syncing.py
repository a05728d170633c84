"""The job that synchronises a source: slice by slice, so that others get their turn."""

import logging
import time
from collections.abc import Callable
from contextlib import suppress

from django.db import IntegrityError, transaction
from django.db.utils import InterfaceError, OperationalError
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _

from ingestion.jobs.ending import JobStopped, ProgressWriter, fail, finish, put_back, retry_later
from ingestion.jobs.queue import enqueue
from ingestion.models import Job, Source, SyncReport
from ingestion.sources.types import Failed
from knowledgetree.conf import rag_settings
from knowledgetree.errors import KnowledgeTreeError

log = logging.getLogger("knowledgetree.jobs")

KEPT_REPORTS = 20
"""Of a source; older ones are forgotten."""

_SYNCHRONISE = "ingestion.services.syncing.synchronise"  # services stand above jobs, so it is known by name alone
_LONGEST_WAIT = 3600.0  # seconds between attempts
_UNFINISHED = (Job.Status.QUEUED, Job.Status.RUNNING)


def start_sync(source: Source, *, queue: bool = True) -> Job:
    """The job that synchronises the source; the one that waits or runs, if there is one."""
    with suppress(IntegrityError), transaction.atomic():
        job = Job.objects.create(kind=Job.Kind.SYNC_SOURCE, source=source, collection=source.collection)
        if queue:
            enqueue(job)
        return job
    return Job.objects.get(kind=Job.Kind.SYNC_SOURCE, source=source, status__in=_UNFINISHED)


def start_scheduled_sync(source_id: int) -> None:
    """What the schedule of a source calls. A source that was deleted with its collection left its schedule behind."""
    from django_q.models import Schedule

    source = Source.objects.filter(pk=source_id).first()
    if source:
        start_sync(source)
    else:
        Schedule.objects.filter(name=schedule_name(source_id)).delete()


def schedule_name(source_id: int) -> str:
    return f"knowledgetree: synchronise source {source_id}"


def sync_source(job: Job) -> None:
    if job.source is None:
        finish(job, Job.Status.CANCELLED)
        return
    report = _report(job, job.source)
    if job.attempts > rag_settings().ingestion.max_attempts:
        _fail(
            job,
            report,
            "gave_up",
            _("The worker ended %(n)d times while reading this source.") % {"n": job.attempts - 1},
        )
        return
    end = time.monotonic() + rag_settings().ingestion.sync_slice_seconds
    try:
        failure = _synchronise(job, report, lambda: time.monotonic() >= end)
    except JobStopped:
        if Job.objects.filter(pk=job.pk, status=Job.Status.CANCELLED).exists():
            _close(report, SyncReport.Status.CANCELLED)
        raise
    except (OperationalError, InterfaceError):
        raise  # the database went away: whoever runs jobs knows what to do
    except KnowledgeTreeError as error:
        _settle(job, report, error.code, str(error), may_pass=error.retryable)
    except Exception:
        log.exception("synchronising failed", extra={"fields": {"source": job.source.pk}})
        words = _("An unexpected error; the log has it under %(id)s.")
        _fail(job, report, "unexpected", words % {"id": job.pk.hex})
    else:
        _end(job, report, failure, over=time.monotonic() >= end)


def _synchronise(job: Job, report: SyncReport, stopped: Callable[[], bool]) -> Failed | None:
    write = ProgressWriter(job)

    def got_on() -> None:
        if job.attempts or job.failures:
            job.attempts = job.failures = 0
            Job.objects.filter(pk=job.pk).update(attempts=0, failures=0)

    write(Job.Stage.READING, 0, 0)
    failure: Failed | None = import_string(_SYNCHRONISE)(
        report=report,
        stopped=stopped,
        progress=lambda done, total: write(Job.Stage.READING, done, total),
        got_on=got_on,
    )
    return failure


def _report(job: Job, source: Source) -> SyncReport:
    """The one that an interrupted job began. A job that is tried again after it ended begins a new one."""
    SyncReport.objects.filter(job=job).exclude(status=SyncReport.Status.RUNNING).update(job=None)
    report, _created = SyncReport.objects.get_or_create(job=job, defaults={"source": source})
    report.source, report.error = source, ""
    return report


def _end(job: Job, report: SyncReport, failure: Failed | None, *, over: bool) -> None:
    if over:
        put_back(job)
    elif failure:
        _settle(job, report, "source_unreadable", failure.message, may_pass=failure.retryable)
    else:
        finish(job, Job.Status.SUCCEEDED)
        _close(report, SyncReport.Status.SUCCEEDED)


def _settle(job: Job, report: SyncReport, code: str, message: str, *, may_pass: bool) -> None:
    """Later again if that can help: a server that does not answer now may do so soon. Otherwise failed for good."""
    if may_pass and job.failures < rag_settings().ingestion.max_retries:
        _wait(job, report, code, message)
        return
    tried = _("It was tried %(n)d times.") % {"n": job.failures + 1} if job.failures else ""
    _fail(job, report, code, f"{message} {tried}".strip())


@transaction.atomic
def _wait(job: Job, report: SyncReport, code: str, message: str) -> None:
    settings = rag_settings().ingestion
    retry_later(job, code, message, first=settings.retry_seconds, longest=_LONGEST_WAIT)
    if due := Job.objects.values_list("due", flat=True).get(pk=job.pk):
        words = _("Attempt %(n)d of %(most)d failed; the next one comes on %(when)s.")
        said = {"n": job.failures + 1, "most": settings.max_retries + 1}
        when = date_format(timezone.localtime(due), "SHORT_DATETIME_FORMAT")
        report.error = f"{message} {words % {**said, 'when': when}}"
        report.save(update_fields=["error"])


@transaction.atomic
def _fail(job: Job, report: SyncReport, code: str, message: str) -> None:
    fail(job, code, message)
    report.error = message
    _close(report, SyncReport.Status.FAILED)


def _close(report: SyncReport, status: SyncReport.Status) -> None:
    report.status, report.finished = status, timezone.now()
    report.save(update_fields=["status", "finished", "error"])
    result = {"status": status, **{name: number for name, number in report.counts.items() if name != "reasons"}}
    Source.objects.filter(pk=report.source_id).update(last_synced=report.finished, last_result=result)
    old = SyncReport.objects.filter(source=report.source_id).values_list("pk", flat=True)[KEPT_REPORTS:]
    SyncReport.objects.filter(pk__in=list(old)).delete()
