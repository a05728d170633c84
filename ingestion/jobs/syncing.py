"""The job that synchronises a source: slice by slice, so that others get their turn."""

import time
from contextlib import suppress

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ingestion.jobs.ending import JobStopped, fail, finish, forget_failures, put_back, retry_later
from ingestion.jobs.queue import enqueue
from ingestion.jobs.slices import Slice, run_slice
from ingestion.models import Job, Source, SyncReport
from ingestion.sources.types import Unread
from knowledgetree.conf import rag_settings
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.events.announcing import announce
from knowledgetree.events.registry import AnnouncedEvent
from knowledgetree.schedules import SYNCHRONISING

KEPT_REPORTS = 20
"""Of a source; older ones are forgotten."""

_SYNCHRONISE = (
    "ingestion.services.syncing.syncing.synchronise"  # services stand above jobs, so it is known by name alone
)
_PLAN = "ingestion.services.syncing.planning.plan_synchronisation"
_LONGEST_WAIT = 3600.0  # seconds between attempts
_LONGEST_ASKED = 86_400.0  # seconds that a server may ask us to stay away
_RETRIES_OF_SOME = 5  # 15 seconds to 4 minutes; then the next synchronisation asks again
_Report = SyncReport.Status
_UNFINISHED = (Job.Status.QUEUED, Job.Status.RUNNING)


def start_sync(source: Source, *, queue: bool = True, dry: bool = False) -> Job:
    """The job that synchronises the source, or only tries to; the one that waits or runs, if there is one."""
    with suppress(IntegrityError), transaction.atomic():
        job = Job.objects.create(kind=Job.Kind.SYNC_SOURCE, source=source, collection=source.collection)
        if dry:
            SyncReport.objects.create(source=source, job=job, dry=True)
        if queue:
            enqueue(job)
        return job
    return Job.objects.get(kind=Job.Kind.SYNC_SOURCE, source=source, status__in=_UNFINISHED)


def start_scheduled_sync(source_id: int) -> None:
    """What the schedule of a source calls. A source that was deleted with its collection left its schedule behind."""
    from django_q.models import Schedule

    source = Source.objects.filter(pk=source_id).first()
    if source:
        if not source.paused:
            start_sync(source)
    else:
        Schedule.objects.filter(name=schedule_name(source_id)).delete()


def schedule_name(source_id: int) -> str:
    return f"{SYNCHRONISING.name} {source_id}"


def sync_source(job: Job) -> None:
    run_slice(job, job.source, _SyncingSlice)


class _SyncingSlice(Slice[Source]):
    kind = "synchronising"
    logged = ("source", "subject.pk")
    gave_up = gettext_lazy("The worker ended %(n)d times while reading this source.")

    @cached_property
    def report(self) -> SyncReport:
        """The one that an interrupted job began. A job that is tried again after it ended begins a new one."""
        ended = SyncReport.objects.filter(job=self.job).exclude(status=_Report.RUNNING)
        begun = {"source": self.subject, "dry": ended.filter(dry=True).exists()}
        ended.update(job=None)
        report, _created = SyncReport.objects.get_or_create(job=self.job, defaults=begun)
        report.source, report.error = self.subject, ""
        return report

    def advance(self) -> None:
        clock = _SliceClock(rag_settings().ingestion.sync_slice_seconds)
        try:
            unread = self._synchronise(clock)
        except JobStopped:
            if Job.objects.filter(pk=self.job.pk, status=Job.Status.CANCELLED).exists():
                self._close(_Report.CANCELLED)
            raise
        self._end(unread, over=clock.is_over)

    def settle(self, error: Exception) -> None:
        code, message = self.explain(error)
        if isinstance(error, KnowledgeTreeError):
            self._try_again(code, message, may_pass=error.retryable)
        else:
            self.fail(code, message)

    @transaction.atomic
    def fail(self, code: str, message: str) -> None:
        fail(self.job, code, message)
        self.report.error = message
        self._announce(code)
        self._close(_Report.FAILED)

    def _synchronise(self, clock: "_SliceClock") -> Unread:
        begun = bool(self.report.counts.get("new") or self.report.counts.get("unchanged"))

        def forget_earlier_failures() -> None:
            """Failures before the first document do not count any more; those after it do, or it might never end."""
            forget_failures(self.job, but=self.job.failures if begun else 0)

        def note_progress(done: int, total: int) -> None:
            clock.begin()
            self.write(Job.Stage.READING, done, total)

        self.write(Job.Stage.READING, 0, 0)
        unread: Unread = import_string(_PLAN if self.report.dry else _SYNCHRONISE)(
            report=self.report,
            stopped=lambda: clock.is_over,
            progress=note_progress,
            get_on=forget_earlier_failures,
        )
        return unread

    def _end(self, unread: Unread, *, over: bool) -> None:
        if over:
            put_back(self.job)
        elif problem := unread.all:
            self._try_again("source_unreadable", problem.message, may_pass=problem.retryable, asked=unread.wait)
        elif unread.some and self._may_ask_again(unread):
            self._wait_for_some(unread)
        else:
            finish(self.job, Job.Status.SUCCEEDED)
            self._close(_Report.SUCCEEDED)

    def _may_ask_again(self, unread: Unread) -> bool:
        """Not where a page asks for more than an hour: until then nothing else of its source would be read anew."""
        most = min(_RETRIES_OF_SOME, rag_settings().ingestion.max_retries)
        return self.job.failures < most and unread.wait <= _LONGEST_WAIT

    def _try_again(self, code: str, message: str, *, may_pass: bool, asked: float = 0.0) -> None:
        """If that can help: a server that does not answer now may do so soon. Otherwise failed for good."""
        failures = self.job.failures
        if may_pass and failures < (most := rag_settings().ingestion.max_retries):
            words = _("Attempt %(n)d of %(most)d failed; the next one comes on %(when)s.")
            words = words % {"n": failures + 1, "most": most + 1, "when": "%(when)s"}
            self._wait(code, message, words=words, asked=asked)
            return
        tried = _("It was tried %(n)d times.") % {"n": failures + 1} if failures else ""
        self.fail(code, f"{message} {tried}".strip())

    def _wait_for_some(self, unread: Unread) -> None:
        """The synchronisation goes on with the same report, so that what was read is not asked for again."""
        message = _("Not everything could be read (%(n)d), first: %(message)s")
        message = message % {"n": len(unread.some), "message": unread.some[0].message}
        words = _("It is asked for again on %(when)s.")
        self._wait("partly_unreadable", message, words=words, asked=unread.wait)

    @transaction.atomic
    def _wait(self, code: str, message: str, *, words: str, asked: float) -> None:
        """`words` say in the report when it goes on: %(when)s."""
        first = rag_settings().ingestion.retry_seconds
        retry_later(self.job, code, message, first=first, longest=_LONGEST_WAIT, asked=min(asked, _LONGEST_ASKED))
        if due := Job.objects.values_list("due", flat=True).get(pk=self.job.pk):
            when = date_format(timezone.localtime(due), "SHORT_DATETIME_FORMAT")
            self.report.error = f"{message} {words % {'when': when}}"
            self.report.save(update_fields=["error"])

    def _announce(self, code: str) -> None:
        """Once, however often it fails after that."""
        ended = SyncReport.objects.filter(
            source=self.subject, dry=False, status__in=[_Report.FAILED, _Report.SUCCEEDED]
        )
        before = ended.exclude(pk=self.report.pk).order_by("-started").first()
        if self.report.dry or (before and before.status == _Report.FAILED):
            return
        source = self.subject
        collection = source.collection.slug
        announce(AnnouncedEvent.SOURCE_FAILED, about=[source.pk], source=source.pk, collection=collection, code=code)

    def _close(self, status: SyncReport.Status) -> None:
        report = self.report
        report.status, report.finished = status, timezone.now()
        report.save(update_fields=["status", "finished", "error"])
        result = {"status": status, **{name: number for name, number in report.counts.items() if name != "reasons"}}
        if not report.dry:
            Source.objects.filter(pk=report.source_id).update(last_synced=report.finished, last_result=result)
        old = SyncReport.objects.filter(source=report.source_id).values_list("pk", flat=True)[KEPT_REPORTS:]
        SyncReport.objects.filter(pk__in=list(old)).delete()


class _SliceClock:
    """Runs from the first outcome: a place whose listing alone takes longer than a slice gets on all the same."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end: float | None = None

    def begin(self) -> None:
        if self._end is None:
            self._end = time.monotonic() + self._seconds

    @property
    def is_over(self) -> bool:
        return self._end is not None and time.monotonic() >= self._end
