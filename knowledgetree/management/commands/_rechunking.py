"""`reembed --rechunk`: texts split and embedded anew, followed to the end, in Polish."""

import json
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from django.core.management.base import CommandError

from ingestion.errors import NothingToRechunk
from ingestion.jobs import run_job
from ingestion.jobs.queue import forget
from ingestion.models import Collection, Document, Job, Rechunking
from ingestion.renewal.rechunking.state import part_states, rechunking_state
from ingestion.services.indexing import queue_indexing
from ingestion.services.rechunking import (
    Wish,
    latest_rechunking,
    pause_rechunking,
    resume_rechunking,
    roll_back_rechunking,
    start_rechunking,
)
from knowledgetree.management.commands._rechunking_output import (
    RechunkingBar,
    outcome_lines,
    rechunking_bar,
    rechunking_lines,
    rechunking_values,
)
from knowledgetree.postgres.connections import borrowed_connections

_POLL_SECONDS = 1.0
_UNFINISHED = (Job.Status.QUEUED, Job.Status.RUNNING)


class RechunkingCommand:
    """`say` and `complain` write a line for people; with `as_json` only JSON is written, by `say_json`."""

    def __init__(
        self, *, say: Callable[[str], Any], complain: Callable[[str], Any], as_json: bool, quiet: bool
    ) -> None:
        self._say = (lambda line: None) if as_json else say
        self._write = say
        self._complain = complain
        self._json, self._quiet = as_json, quiet or as_json

    def act(self, options: dict[str, Any]) -> None:
        """What the options ask for; raises KnowledgeTreeError where it cannot be."""
        if options["list"]:
            self._list()
        elif options["pause"]:
            pause_rechunking(rechunking=latest_rechunking())
            self._say("Wstrzymano; bieżąca porcja dokumentów jeszcze się skończy. Dalej: reembed --rechunk --resume")
        elif options["resume"]:
            rechunking = latest_rechunking()
            self._follow(rechunking, resume_rechunking(rechunking=rechunking, queue=False))
        elif options["roll_back"]:
            self._roll_back()
        elif options["from_originals"]:
            self._queue_all(options)
        else:
            self._start(options)

    def _start(self, options: dict[str, Any]) -> None:
        wish = Wish(
            chunker=options["chunker"],
            chunk_size=options["chunk_size"],
            overlap=options["overlap"],
            options=dict(map(_option, options["option"])) or None,
            as_settings=options["as_settings"],
        )
        try:
            rechunking = start_rechunking(
                collections=_collections(options),
                wish=wish,
                gate=options["gate"],
                margin=options["margin"],
                queue=False,
            )
        except NothingToRechunk:
            if self._json:
                self._write(json.dumps(None))
            self._say("Nie ma nic do zrobienia: wszystkie dokumenty są już tak podzielone.")
            return
        for part in part_states(rechunking):
            self._say(f"{part.collections}: {part.before} → {part.after}")
        self._follow(rechunking, rechunking.jobs.get())

    def _roll_back(self) -> None:
        rechunking = latest_rechunking()
        job = roll_back_rechunking(rechunking=rechunking, queue=False)
        rechunking.refresh_from_db()
        for part in part_states(rechunking) if job else []:
            self._say(f"{part.collections}: z powrotem {part.before}")
        if job:
            self._follow(rechunking, job)
        else:
            self._conclude(rechunking)

    def _list(self) -> None:
        rechunkings = list(Rechunking.objects.all())
        if self._json:
            values = [rechunking_values(rechunking_state(one)) for one in rechunkings]
            self._write(json.dumps(values, ensure_ascii=False, indent=2))
        else:
            lines = [line for one in rechunkings for line in rechunking_lines(rechunking_state(one))]
            self._write("\n".join(lines) or "Podziału na fragmenty jeszcze nie zmieniano.")

    def _queue_all(self, options: dict[str, Any]) -> None:
        documents = Document.objects.filter(collection__in=_collections(options))
        documents = documents.exclude(status=Document.Status.ARCHIVED)
        for document in documents.iterator():
            queue_indexing(document)
        self._say(
            f"Dokumenty w kolejce: {documents.count()}. Dopóki dokument nie będzie gotowy, wyszukiwane są jego "
            "dotychczasowe fragmenty. Postęp: panel administracyjny → Zadania."
        )

    def _follow(self, rechunking: Rechunking, job: Job) -> None:
        """Take part in the job until it ends, beside any worker, and say how it ended."""
        ended, said = threading.Event(), ""
        try:
            with rechunking_bar(quiet=self._quiet) as bar:
                watcher = threading.Thread(target=_watch, args=[job, rechunking, bar, ended], daemon=True)
                watcher.start()
                while Job.objects.filter(pk=job.pk, status__in=_UNFINISHED).exists():
                    run_job(str(job.pk))
                    rechunking.refresh_from_db()
                    if rechunking.status == Rechunking.Status.RUNNING and rechunking.error not in {"", said}:
                        said = rechunking.error
                        self._complain(f"{said} Następna próba nastąpi sama.")
                    if Job.objects.filter(pk=job.pk, status__in=_UNFINISHED).exists():
                        time.sleep(_POLL_SECONDS)  # a worker has it, or it waits after a failure
                ended.set()
                watcher.join()
        except KeyboardInterrupt:
            raise CommandError(
                "Przerwano. Podzielone dokumenty zostają; dalej: manage.py reembed --rechunk --resume"
            ) from None
        finally:
            ended.set()
            forget(job)
        self._conclude(rechunking)

    def _conclude(self, rechunking: Rechunking) -> None:
        rechunking.refresh_from_db()
        if rechunking.status == Rechunking.Status.FAILED:
            raise CommandError(f"{rechunking.error} Dalej: reembed --rechunk --resume albo --roll-back")
        if self._json:
            self._write(json.dumps(rechunking_values(rechunking_state(rechunking)), ensure_ascii=False, indent=2))
        for line in outcome_lines(rechunking):
            self._say(line)


def _collections(options: dict[str, Any]) -> Sequence[Collection]:
    wanted = options["collection"]
    found = list(Collection.objects.filter(slug__in=wanted) if wanted else Collection.objects.all())
    if unknown := sorted(set(wanted) - {collection.slug for collection in found}):
        known = ", ".join(Collection.objects.values_list("slug", flat=True)) or "nie ma żadnej"
        raise CommandError(f"Nie ma kolekcji: {', '.join(unknown)}. Kolekcje: {known}.")
    if not found:
        raise CommandError("Nie ma jeszcze żadnej kolekcji.")
    return found


def _option(written: str) -> tuple[str, Any]:
    name, equals, value = written.partition("=")
    if not equals:
        raise CommandError(f"--option {written}: napisz NAZWA=WARTOŚĆ, na przykład percentile=20.")
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


@borrowed_connections()
def _watch(job: Job, rechunking: Rechunking, bar: RechunkingBar, ended: threading.Event) -> None:
    while not ended.wait(_POLL_SECONDS):
        now = Job.objects.filter(pk=job.pk).first()
        current = Rechunking.objects.filter(pk=rechunking.pk).first()
        if now and current:
            bar.show(now, rechunking_state(current))
