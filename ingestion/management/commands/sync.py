"""`manage.py sync`: synchronise sources here and now, with what came of each."""

import json
import threading
import time
from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ingestion.errors import IngestionError
from ingestion.jobs import run_job
from ingestion.management.commands._counting_bar import counted
from ingestion.models import Job, Source, SyncReport
from ingestion.services.sources import start_sync
from knowledgetree.postgres.connections import borrowed_connections

RESULTS = {
    "new": "nowe",
    "changed": "zmienione",
    "restored": "przywrócone",
    "unchanged": "bez zmian",
    "gone": "zniknęły",
    "failed": "błędy",
    "skipped": "pominięte",
}
STATUSES = {"succeeded": "zsynchronizowano", "failed": "nie udało się", "cancelled": "anulowano", "running": "w toku"}
_SHOWN = 20  # addresses of a list; the admin has more
_LOOK = 0.5  # seconds


class Command(BaseCommand):
    help = "Synchronise sources: all, or those given by number or name. The worker indexes what came in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", nargs="*", help="number or name")
        parser.add_argument("--json", action="store_true", help="the reports as JSON, one a line")

    def handle(self, *, source: list[str], **options: Any) -> None:
        failed = False
        for chosen in _chosen(source):
            try:
                report = _synchronise(chosen, quiet=options["verbosity"] == 0 or options["json"])
            except IngestionError as error:
                raise CommandError(f"{chosen}: {error}") from error
            failed = failed or report.status != SyncReport.Status.SUCCEEDED
            self.stdout.write(_as_json(report) if options["json"] else _in_words(report))
        if failed:
            raise CommandError("Nie wszystkie źródła udało się zsynchronizować.")


def _chosen(wanted: Sequence[str]) -> list[Source]:
    known = list(Source.objects.exclude(kind=Source.Kind.UPLOAD))
    if not wanted:
        return known
    found = []
    for text in wanted:
        matching = [source for source in known if text in (str(source.pk), source.name)]
        if len(matching) != 1:
            names = ", ".join(f"{source.pk} – {source.name}" for source in known) or "brak"
            problem = "Nie ma źródła" if not matching else "Jest więcej niż jedno źródło; podaj numer zamiast nazwy"
            raise CommandError(f"{problem}: {text}. Źródła: {names}.")
        found += matching
    return found


def _synchronise(source: Source, *, quiet: bool) -> SyncReport:
    """Runs the job in this thread unless a worker does already; either way until it ended, or failed for a reason that
    may pass: then a worker tries again.
    """
    job, ended = start_sync(source=source, queue=False), threading.Event()
    with counted(source.name[:40], quiet=quiet) as progress:

        @borrowed_connections()
        def look() -> None:
            while not ended.wait(_LOOK):
                done, total = Job.objects.values_list("done", "total").get(pk=job.pk)
                progress(done, total)

        looking = threading.Thread(target=look, daemon=True)
        looking.start()
        try:
            while job.status == Job.Status.RUNNING or (job.status == Job.Status.QUEUED and not job.due):
                run_job(str(job.pk))
                job.refresh_from_db()
                time.sleep(_LOOK if job.status == Job.Status.RUNNING else 0)
        finally:
            ended.set()
            looking.join()
        report = SyncReport.objects.select_related("source").get(job=job)
        read = sum(report.counts.get(result, 0) for result in RESULTS)
        progress(read, read)
    return report


def _as_json(report: SyncReport) -> str:
    told = {"source": report.source_id, "name": report.source.name, "status": report.status, "error": report.error}
    return json.dumps({**told, "counts": report.counts, "lists": report.lists}, ensure_ascii=False)


def _in_words(report: SyncReport) -> str:
    numbers = ", ".join(f"{word}: {n}" for result, word in RESULTS.items() if (n := report.counts.get(result)))
    lines = [f"{report.source.name}: {STATUSES[report.status]} ({numbers or 'nic'})"]
    if report.error:
        lines.append(f"  ✗ {report.error}")
    for entry in report.lists.get("failed", [])[:_SHOWN]:
        lines.append(f"  ✗ {entry['uri']}\n    {entry['detail']}")
    lines += [f"  – {entry['uri']}" for entry in report.lists.get("gone", [])[:_SHOWN]]
    if report.counts.get("gone"):
        lines.append("  O tym, co zniknęło, zdecydujesz w panelu administracyjnym → Źródła.")
    return "\n".join(lines)
