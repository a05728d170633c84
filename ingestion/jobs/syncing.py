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
from ingestion.sources.types import Unread
from knowledgetree.conf import rag_settings
from knowledgetree.errors import KnowledgeTreeError

log = logging.getLogger("knowledgetree.jobs")

KEPT_REPORTS = 20
"""Of a source; older ones are forgotten."""

_SYNCHRONISE = (
    "ingestion.services.syncing.syncing.synchronise"  # services stand above jobs, so it is known by name alone
)
_LONGEST_WAIT = 3600.0  # seconds between attempts
_LONGEST_ASKED = 86_400.0  # seconds that a server may ask us to stay away
_RETRIES_OF_SOME = 5  # 15 seconds to 4 minutes; then the next synchronisation asks again
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
        unread = _synchronise(job, report, lambda: time.monotonic() >= end)
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
        _end(job, report, unread, over=time.monotonic() >= end)


def _synchronise(job: Job, report: SyncReport, stopped: Callable[[], bool]) -> Unread:
    write = ProgressWriter(job)
    begun = bool(report.counts.get("new") or report.counts.get("unchanged"))

    def got_on() -> None:
        """Failures before the first document do not count any more; those after it do, or it might never end."""
        failures = job.failures if begun else 0
        if job.attempts or job.failures != failures:
            job.attempts, job.failures = 0, failures
            Job.objects.filter(pk=job.pk).update(attempts=0, failures=failures)

    write(Job.Stage.READING, 0, 0)
    unread: Unread = import_string(_SYNCHRONISE)(
        report=report,
        stopped=stopped,
        progress=lambda done, total: write(Job.Stage.READING, done, total),
        got_on=got_on,
    )
    return unread


def _report(job: Job, source: Source) -> SyncReport:
    """The one that an interrupted job began. A job that is tried again after it ended begins a new one."""
    SyncReport.objects.filter(job=job).exclude(status=SyncReport.Status.RUNNING).update(job=None)
    report, _created = SyncReport.objects.get_or_create(job=job, defaults={"source": source})
    report.source, report.error = source, ""
    return report


def _end(job: Job, report: SyncReport, unread: Unread, *, over: bool) -> None:
    if over:
        put_back(job)
    elif unread.all:
        _settle(job, report, "source_unreadable", unread.all.message, may_pass=unread.all.retryable, asked=unread.wait)
    elif unread.some and _may_ask_again(job, unread):
        _wait_for_some(job, report, unread)
    else:
        finish(job, Job.Status.SUCCEEDED)
        _close(report, SyncReport.Status.SUCCEEDED)


def _may_ask_again(job: Job, unread: Unread) -> bool:
    """Not where a page asks for more than an hour: until then nothing else of its source would be read anew."""
    most = min(_RETRIES_OF_SOME, rag_settings().ingestion.max_retries)
    return job.failures < most and unread.wait <= _LONGEST_WAIT


def _settle(job: Job, report: SyncReport, code: str, message: str, *, may_pass: bool, asked: float = 0.0) -> None:
    """Later again if that can help: a server that does not answer now may do so soon. Otherwise failed for good."""
    if may_pass and job.failures < (most := rag_settings().ingestion.max_retries):
        words = _("Attempt %(n)d of %(most)d failed; the next one comes on %(when)s.")
        words = words % {"n": job.failures + 1, "most": most + 1, "when": "%(when)s"}
        _wait(job, report, code, message, words=words, asked=asked)
        return
    tried = _("It was tried %(n)d times.") % {"n": job.failures + 1} if job.failures else ""
    _fail(job, report, code, f"{message} {tried}".strip())


def _wait_for_some(job: Job, report: SyncReport, unread: Unread) -> None:
    """The synchronisation goes on with the same report, so that what was read is not asked for again."""
    message = _("Not everything could be read (%(n)d), first: %(message)s")
    message = message % {"n": len(unread.some), "message": unread.some[0].message}
    words = _("It is asked for again on %(when)s.")
    _wait(job, report, "partly_unreadable", message, words=words, asked=unread.wait)


@transaction.atomic
def _wait(job: Job, report: SyncReport, code: str, message: str, *, words: str, asked: float) -> None:
    """`words` say in the report when it goes on: %(when)s."""
    first = rag_settings().ingestion.retry_seconds
    retry_later(job, code, message, first=first, longest=_LONGEST_WAIT, asked=min(asked, _LONGEST_ASKED))
    if due := Job.objects.values_list("due", flat=True).get(pk=job.pk):
        when = date_format(timezone.localtime(due), "SHORT_DATETIME_FORMAT")
        report.error = f"{message} {words % {'when': when}}"
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
