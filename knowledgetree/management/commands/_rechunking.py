"""`reembed --rechunk`: texts split and embedded anew, followed to the end."""

import json
from collections.abc import Sequence
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from ingestion.errors import NothingToRechunk
from ingestion.management.following import finish_job
from ingestion.models import Collection, Document, Job, Rechunking
from ingestion.renewal.gate import default_gate
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
from knowledgetree.console import Command
from knowledgetree.management.commands._rechunking_output import (
    outcome_lines,
    rechunking_lines,
    rechunking_values,
    show_rechunking,
)


def act(command: Command, options: dict[str, Any]) -> None:
    """Do what the options ask for; raises KnowledgeTreeError where it cannot be."""
    if options["list"]:
        _list(command)
    elif options["pause"]:
        pause_rechunking(rechunking=latest_rechunking())
        command.say(_("Paused; the documents at hand are still being finished. To go on: reembed --rechunk --resume"))
    elif options["resume"]:
        rechunking = latest_rechunking()
        _follow(command, rechunking, resume_rechunking(rechunking=rechunking, queue=False))
    elif options["roll_back"]:
        _roll_back(command)
    elif options["from_originals"]:
        _queue_all(command, options)
    else:
        _start(command, options)


def _start(command: Command, options: dict[str, Any]) -> None:
    wish = Wish(
        chunker=options["chunker"],
        chunk_size=options["chunk_size"],
        overlap=options["overlap"],
        options=dict(map(_option, options["option"])) or None,
        as_settings=options["as_settings"],
    )
    try:
        collections = _collections(options)
        gate = default_gate(collections) if options["gate"] is None else options["gate"]
        rechunking = start_rechunking(
            collections=collections, wish=wish, gate=gate, margin=options["margin"], queue=False
        )
    except NothingToRechunk:
        if command.as_json:
            command.say_json(None)
        command.say(_("There is nothing to do: all documents are split like this already."))
        return
    command.say_all(f"{part.collections}: {part.before} → {part.after}" for part in part_states(rechunking))
    _follow(command, rechunking, rechunking.jobs.get())


def _roll_back(command: Command) -> None:
    rechunking = latest_rechunking()
    job = roll_back_rechunking(rechunking=rechunking, queue=False)
    rechunking.refresh_from_db()
    if job is None:
        _conclude(command, rechunking)
        return
    for part in part_states(rechunking):
        command.say(_("%(collections)s: back to %(before)s") % {"collections": part.collections, "before": part.before})
    _follow(command, rechunking, job)


def _list(command: Command) -> None:
    states = [rechunking_state(one) for one in Rechunking.objects.all()]
    if command.as_json:
        command.say_json([rechunking_values(state) for state in states])
    lines = [line for state in states for line in rechunking_lines(state)]
    command.say("\n".join(lines) or _("The chunking has not been changed yet."))


def _queue_all(command: Command, options: dict[str, Any]) -> None:
    documents = Document.objects.filter(collection__in=_collections(options))
    documents = documents.exclude(status=Document.Status.ARCHIVED)
    for document in documents.iterator():
        queue_indexing(document)
    queued = _(
        "Documents in the queue: %(n)d. Until a document is ready, its chunks of today are searched. "
        "Progress: admin → Jobs."
    )
    command.say(queued % {"n": documents.count()})


def _follow(command: Command, rechunking: Rechunking, job: Job) -> None:
    """Take part in the job until it ends, and say how it ended."""
    told = {""}

    def complain() -> None:
        rechunking.refresh_from_db()
        if rechunking.status == Rechunking.Status.RUNNING and rechunking.error not in told:
            told.add(rechunking.error)
            command.stderr.write(_("%(error)s The next try comes by itself.") % {"error": rechunking.error})

    try:
        with command.progress_bar(_("Documents")) as bar:
            finish_job(job, look=lambda now: show_rechunking(bar, now), after_attempt=complain)
    except KeyboardInterrupt:
        stopped = _("Interrupted. Documents split so far stay so; to go on: knowledgetree reembed --rechunk --resume")
        raise CommandError(stopped) from None
    _conclude(command, rechunking)


def _conclude(command: Command, rechunking: Rechunking) -> None:
    rechunking.refresh_from_db()
    if rechunking.status == Rechunking.Status.FAILED:
        failed = _("%(error)s To go on: reembed --rechunk --resume, or: --roll-back")
        raise CommandError(failed % {"error": rechunking.error})
    if command.as_json:
        command.say_json(rechunking_values(rechunking_state(rechunking)))
    command.say_all(outcome_lines(rechunking))


def _collections(options: dict[str, Any]) -> Sequence[Collection]:
    wanted = options["collection"]
    found = list(Collection.objects.filter(slug__in=wanted) if wanted else Collection.objects.all())
    if unknown := sorted(set(wanted) - {collection.slug for collection in found}):
        known = ", ".join(Collection.objects.values_list("slug", flat=True)) or _("there is none")
        missing = _("There are no collections: %(unknown)s. Collections: %(known)s.")
        raise CommandError(missing % {"unknown": ", ".join(unknown), "known": known})
    if not found:
        raise CommandError(_("There is no collection yet."))
    return found


def _option(written: str) -> tuple[str, Any]:
    name, equals, value = written.partition("=")
    if not equals:
        wrong = _("--option %(option)s: write NAME=VALUE, such as percentile=20.")
        raise CommandError(wrong % {"option": written})
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
