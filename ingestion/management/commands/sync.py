"""`manage.py sync`: synchronise sources here and now, with what came of each."""

import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from ingestion.errors import IngestionError
from ingestion.jobs import run_job
from ingestion.management.following import watched
from ingestion.models import Job, Source, SyncReport
from ingestion.services.sources import start_sync
from knowledgetree import console

RESULTS = {
    "new": gettext_lazy("new"),
    "changed": gettext_lazy("modified"),
    "restored": gettext_lazy("restored"),
    "unchanged": gettext_lazy("unchanged"),
    "gone": gettext_lazy("gone"),
    "failed": gettext_lazy("errors"),
    "skipped": gettext_lazy("skipped"),
}
STATUSES = {
    "succeeded": gettext_lazy("synchronised"),
    "failed": gettext_lazy("not synchronised"),
    "cancelled": gettext_lazy("called off"),
    "running": gettext_lazy("running"),
}
_SHOWN = 20  # addresses of a list; the admin has more
_LOOK = 0.5  # seconds


class Command(console.Command):
    help = gettext_noop("Synchronise sources: all, or those given by number or name. The worker indexes what came in.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", nargs="*", help=_("number or name"))
        parser.add_argument("--json", action="store_true", help=_("the reports as JSON, one a line"))

    def handle(self, *, source: list[str], **options: Any) -> None:
        failed = False
        for chosen in chosen_sources(source):
            try:
                report = self._synchronise(chosen)
            except IngestionError as error:
                raise CommandError(f"{chosen}: {error}") from error
            failed = failed or report.status != SyncReport.Status.SUCCEEDED
            self.say_all(_report_lines(report))
            if self.as_json:
                self.say_json(_as_json(report), indent=None)
        if failed:
            raise CommandError(_("Not every source could be synchronised."))

    def _synchronise(self, source: Source) -> SyncReport:
        """Runs the job in this thread unless a worker does already; either way until it ended, or failed for a reason
        that may pass: then a worker tries again.
        """
        job = start_sync(source=source, queue=False)
        with self.progress_bar(source.name[:40]) as progress, watched(job, lambda now: progress(now.done, now.total)):
            while job.status == Job.Status.RUNNING or (job.status == Job.Status.QUEUED and not job.due):
                run_job(str(job.pk))
                job.refresh_from_db()
                time.sleep(_LOOK if job.status == Job.Status.RUNNING else 0)
        return SyncReport.objects.select_related("source").get(job=job)


def chosen_sources(wanted: Sequence[str]) -> list[Source]:
    known = list(Source.objects.exclude(kind=Source.Kind.UPLOAD))
    if not wanted:
        return known
    found = []
    for text in wanted:
        matching = [source for source in known if text in (str(source.pk), source.name)]
        if len(matching) != 1:
            names = ", ".join(f"{source.pk} – {source.name}" for source in known) or _("none")
            several = _("There is more than one source; give its number instead of its name")
            problem = several if matching else _("There is no source")
            raise CommandError(
                _("%(problem)s: %(text)s. Sources: %(names)s.") % {"problem": problem, "text": text, "names": names}
            )
        found += matching
    return found


def _as_json(report: SyncReport) -> dict[str, Any]:
    told = {"source": report.source_id, "name": report.source.name, "status": report.status, "error": report.error}
    return {**told, "counts": report.counts, "lists": report.lists}


def _report_lines(report: SyncReport) -> Iterator[str]:
    numbers = ", ".join(f"{word}: {n}" for result, word in RESULTS.items() if (n := report.counts.get(result)))
    nothing = _("nothing")
    yield f"{report.source.name}: {STATUSES[report.status]} ({numbers or nothing})"
    if report.error:
        yield f"  ✗ {report.error}"
    for entry in report.lists.get("failed", [])[:_SHOWN]:
        yield f"  ✗ {entry['uri']}\n    {entry['detail']}"
    for entry in report.lists.get("gone", [])[:_SHOWN]:
        yield f"  – {entry['uri']}"
    if report.counts.get("gone"):
        yield "  " + _("You decide on what is gone in the admin → Sources.")
