"""What a person does with a source: sets it up, synchronises it, pauses it."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from datetime import datetime, timedelta
from ipaddress import ip_network
from typing import Any, Final

from croniter import croniter
from django.db import transaction
from django.db.models import Func, JSONField, Value
from django.utils import timezone
from django.utils.translation import gettext as _
from django_q.models import Schedule

from ingestion import jobs
from ingestion.errors import JobStateError, SourceRefused
from ingestion.jobs.syncing import schedule_name
from ingestion.models import Document, Job, Source
from ingestion.services.jobs import cancel_job
from ingestion.services.syncing.connecting import check_place, secret_of
from ingestion.services.syncing.reading import allowed_folder, feed_credential
from ingestion.sources.connectors import KINDS
from knowledgetree.encryption import encrypt_secret
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.fetching import web_fetcher
from knowledgetree.schedules import SYNCHRONISING

GIVEN: Final = ("category", "tags", "language")
"""What documents have from their source, beside what an editor sets."""

_READ_BY: Final = ("kind", "location", "include", "exclude", "options", "mirror_rights")
"""What decides which items are read, and who reads them."""
_NIGHT = 3  # o'clock
_SATURDAY = 5
_TYPES = {
    Source.Rhythm.HOURLY.value: Schedule.HOURLY,
    Source.Rhythm.DAILY.value: Schedule.DAILY,
    Source.Rhythm.WEEKLY.value: Schedule.WEEKLY,
    Source.Rhythm.CRON.value: Schedule.CRON,
}


def check_location(*, kind: str, location: str) -> None:
    """Raises SourceRefused or FetchError for a place that cannot be read or may not be."""
    if kind == Source.Kind.FOLDER:
        if not allowed_folder(location).is_dir():
            raise SourceRefused(_("There is no folder %(path)s on the server.") % {"path": location})
    elif kind != Source.Kind.UPLOAD:
        web_fetcher().check(location)


def check_cron(expression: str) -> None:
    """Raises SourceRefused for what is no cron expression of five fields."""
    if len(expression.split()) != 5 or not croniter.is_valid(expression):
        raise SourceRefused(
            _("%(text)s is no cron expression.") % {"text": repr(expression)},
            remedy=_("Write five fields, such as 30 6 * * 1-5 for working days at 6:30."),
        )


def source_troubles(wanted: Source, *, new_place: bool = True) -> dict[str, str]:
    """What is wrong with a source as somebody wants it, by field: a message and what to do. {} where nothing is.
    Without `new_place` the location is the one it has already and is not looked at again: it may be away for a while.
    """
    troubles = {}
    kind, location, schedule = wanted.kind, wanted.location, wanted.schedule
    cron = wanted.rhythm == Source.Rhythm.CRON
    if kind not in ("", Source.Kind.UPLOAD) and not location:
        troubles["location"] = _("Say where the documents are: a folder or a web address.")
    elif kind in KINDS:
        troubles |= connection_troubles(wanted, new_place=new_place)
    elif location and new_place and (trouble := _trouble(lambda: check_location(kind=kind, location=location))):
        troubles["location"] = trouble
    key = wanted.options.get("key", "")
    if kind == Source.Kind.FEED and (trouble := _trouble(lambda: feed_credential(key=key, location=location))):
        troubles["key"] = trouble
    if cron and not schedule:
        troubles["schedule"] = _("Write five fields, such as 30 6 * * 1-5 for working days at 6:30.")
    elif cron and (trouble := _trouble(lambda: check_cron(schedule))):
        troubles["schedule"] = trouble
    return troubles


def connection_troubles(wanted: Source, *, new_place: bool) -> dict[str, str]:
    """What is wrong with the place, the settings, the networks or the secret of a source that a connector reads."""
    troubles = {
        setting.name: _("This kind of source needs it.")
        for setting in KINDS[wanted.kind].settings
        if setting.required and not wanted.options.get(setting.name)
    }
    wrong = [one for one in KINDS[wanted.kind].settings if not one.takes(str(wanted.options.get(one.name, "")))]
    troubles |= {one.name: _("Write for example %(example)s.") % {"example": one.example} for one in wrong}
    if trouble := _trouble(lambda: check_networks(wanted.networks)):
        troubles["networks"] = trouble
    elif new_place and (trouble := _trouble(lambda: check_place(wanted))):
        troubles["location"] = trouble
    if "location" not in troubles and (trouble := _trouble(lambda: secret_of(wanted))):
        troubles["key"] = trouble
    return troubles


def is_settled(source: Source) -> bool:
    """Documents came from it: its kind, place and collection stay, as another place is another source."""
    return source.pk is not None and source.addresses.exists()


def _trouble(check: Callable[[], object]) -> str:
    try:
        check()
    except KnowledgeTreeError as error:
        return str(error)
    return ""


@transaction.atomic
def save_source(*, source: Source) -> Source:
    """Keep it with its schedule; its documents get what it gives them now. A new one is synchronised at once, unless it
    is paused.
    Raises what the checks raise.
    """
    before = Source.objects.select_for_update().filter(pk=source.pk).first()
    if before is None or (before.kind, before.location) != (source.kind, source.location):
        _check_new_place(source)
    if source.kind == Source.Kind.FEED:
        feed_credential(key=source.options.get("key", ""), location=source.location)
    if source.rhythm == Source.Rhythm.CRON:
        check_cron(source.schedule)
    if before and any(getattr(before, name) != getattr(source, name) for name in _READ_BY):
        source.cursor = ""  # what was left out before must be listed
    source.save()
    if before:
        _give(source, {name: getattr(source, name) for name in GIVEN if getattr(before, name) != getattr(source, name)})
    _keep_schedule(source)
    if before is None and source.is_read and not source.paused:
        start_sync(source=source)
    return source


@transaction.atomic
def delete_source(*, source: Source) -> None:
    """Its documents stay, as if they had been uploaded."""
    Schedule.objects.filter(name=schedule_name(source.pk)).delete()
    source.delete()


@transaction.atomic
def pause_source(*, source: Source) -> None:
    """Nothing is read from it any more; what is being read stops at the next sign of progress."""
    Source.objects.filter(pk=source.pk).update(paused=True)
    source.paused = True
    for job in Job.objects.filter(source=source, status__in=[Job.Status.QUEUED, Job.Status.RUNNING]):
        with suppress(JobStateError):
            cancel_job(job=job)


@transaction.atomic
def resume_source(*, source: Source) -> Job:
    """The pause ends with a synchronisation, for what came meanwhile."""
    Source.objects.filter(pk=source.pk).update(paused=False)
    source.paused = False
    return start_sync(source=source)


def start_sync(*, source: Source, queue: bool = True, dry: bool = False) -> Job:
    """The job that synchronises the source, or only tries it (`dry`); the one that waits or runs, if there is one.
    Raises SourceRefused for uploads, for a paused source, and for one that cannot be tried. Without `queue` the caller
    runs the job itself. One that waits after a failure waits no longer.
    """
    if not source.is_read:
        raise SourceRefused(_("Uploads come by themselves; there is nothing to synchronise with."))
    if dry and source.kind not in KINDS:
        raise SourceRefused(_("Only places that are listed can be tried; this source is known by reading it."))
    if source.paused and not dry:
        raise SourceRefused(_("The source is paused."), remedy=_("End the pause; then it is synchronised."))
    job = jobs.start_sync(source, queue=queue, dry=dry)
    if Job.objects.filter(pk=job.pk, status=Job.Status.QUEUED, due__isnull=False).update(due=None):
        job.due = None
        if queue:
            jobs.enqueue(job)
    return job


def check_networks(networks: Iterable[str]) -> None:
    """Raises SourceRefused for what is no network."""
    for network in networks:
        try:
            ip_network(network)
        except ValueError as error:
            raise SourceRefused(
                _("%(text)s is no network.") % {"text": repr(network)}, remedy=_("Write for example 10.1.2.0/24.")
            ) from error


def keep_secret(source: Source, secret: str) -> None:
    """Encrypted in the row, which the caller saves; "" takes it out."""
    source.encrypted_secret = encrypt_secret(secret) if secret else ""
    source.secret_changed = timezone.now() if secret else None


def _check_new_place(source: Source) -> None:
    if source.kind in KINDS:
        check_networks(source.networks)
        check_place(source)
    else:
        check_location(kind=source.kind, location=source.location)


def _give(source: Source, said: Mapping[str, Any]) -> None:
    """To all its documents, in SQL as they may be thousands; what an editor set stays, as `take_word` has it."""
    documents = Document.objects.filter(source=source)
    if said:
        documents.update(given=Func("given", Value(said, JSONField()), template="(%(expressions)s)", arg_joiner=" || "))
    for field, value in said.items():
        documents.exclude(edited__contains=[field]).update(**{field: value})


def _keep_schedule(source: Source) -> None:
    name = schedule_name(source.pk)
    if not source.rhythm or not source.is_read:
        Schedule.objects.filter(name=name).delete()
        return
    cron = source.schedule if source.rhythm == Source.Rhythm.CRON else None
    rhythm = {"schedule_type": _TYPES[source.rhythm], "cron": cron}
    if Schedule.objects.filter(name=name, **rhythm).exists():
        return  # its next turn stays
    Schedule.objects.update_or_create(
        name=name,
        defaults={
            "func": SYNCHRONISING.func,
            "args": str(source.pk),
            "repeats": -1,
            "next_run": _first_turn(source),
            **rhythm,
        },
    )


def _first_turn(source: Source) -> datetime:
    """At night where nobody says otherwise; the minute goes by the source, so that not all begin at once."""
    now = timezone.localtime()
    if source.rhythm == Source.Rhythm.CRON:
        turn: datetime = croniter(source.schedule, now).get_next(datetime)
        return turn
    minute = source.pk * 7 % 60
    if source.rhythm == Source.Rhythm.HOURLY:
        return now.replace(minute=minute, second=0, microsecond=0) + timedelta(hours=now.minute >= minute)
    night = now.replace(hour=_NIGHT, minute=minute, second=0, microsecond=0)
    night += timedelta(days=night <= now)
    if source.rhythm == Source.Rhythm.WEEKLY:
        night += timedelta(days=(_SATURDAY - night.weekday()) % 7)
    return night
