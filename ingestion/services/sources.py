"""What a person does with a source: sets it up, synchronises it, decides about what is gone."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from croniter import croniter
from django.db import transaction
from django.db.models import Func, JSONField, Value
from django.utils import timezone
from django.utils.translation import gettext as _
from django_q.models import Schedule

from ingestion import jobs
from ingestion.errors import SourceRefused
from ingestion.jobs.syncing import schedule_name
from ingestion.models import Document, Job, Source, SourceAddress
from ingestion.services.documents import archive_document
from ingestion.services.syncing.reading import allowed_folder, feed_credential
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.fetching import web_fetcher
from knowledgetree.schedules import SYNCHRONISING

GIVEN: Final = ("category", "tags", "language")
"""What documents have from their source, beside what an editor sets."""

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


def source_troubles(
    *, kind: str, location: str, rhythm: str, schedule: str, key: str = "", new_place: bool = True
) -> dict[str, str]:
    """What is wrong with a source, by field: a message and what to do. {} where nothing is. Without `new_place` the
    location is the one it has already and is not looked at again: it may be away for a while.
    """
    troubles = {}
    cron = rhythm == Source.Rhythm.CRON
    if kind not in ("", Source.Kind.UPLOAD) and not location:
        troubles["location"] = _("Say where the documents are: a folder or a web address.")
    elif location and new_place and (trouble := _trouble(lambda: check_location(kind=kind, location=location))):
        troubles["location"] = trouble
    if kind == Source.Kind.FEED and (trouble := _trouble(lambda: feed_credential(key=key, location=location))):
        troubles["key"] = trouble
    if cron and not schedule:
        troubles["schedule"] = _("Write five fields, such as 30 6 * * 1-5 for working days at 6:30.")
    elif cron and (trouble := _trouble(lambda: check_cron(schedule))):
        troubles["schedule"] = trouble
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
    """Keep it with its schedule; its documents get what it gives them now. Raises what the checks raise."""
    before = Source.objects.select_for_update().filter(pk=source.pk).first()
    if before is None or (before.kind, before.location) != (source.kind, source.location):
        check_location(kind=source.kind, location=source.location)
    if source.kind == Source.Kind.FEED:
        feed_credential(key=source.options.get("key", ""), location=source.location)
    if source.rhythm == Source.Rhythm.CRON:
        check_cron(source.schedule)
    source.save()
    if before:
        _give(source, {name: getattr(source, name) for name in GIVEN if getattr(before, name) != getattr(source, name)})
    _keep_schedule(source)
    return source


@transaction.atomic
def delete_source(*, source: Source) -> None:
    """Its documents stay, as if they had been uploaded."""
    Schedule.objects.filter(name=schedule_name(source.pk)).delete()
    source.delete()


def start_sync(*, source: Source, queue: bool = True) -> Job:
    """The job that synchronises the source; the one that waits or runs, if there is one. Raises SourceRefused for
    uploads. Without `queue` the caller runs the job itself. One that waits after a failure waits no longer.
    """
    if not source.is_read:
        raise SourceRefused(_("Uploads come by themselves; there is nothing to synchronise with."))
    job = jobs.start_sync(source, queue=queue)
    if Job.objects.filter(pk=job.pk, status=Job.Status.QUEUED, due__isnull=False).update(due=None):
        job.due = None
        if queue:
            jobs.enqueue(job)
    return job


def confirm_gone(*, addresses: Iterable[SourceAddress]) -> int:
    """Archive the documents of those that wait for a decision; how many."""
    return sum(_decide(address, SourceAddress.State.ARCHIVED) for address in addresses)


def keep_gone(*, addresses: Iterable[SourceAddress]) -> int:
    """Leave the documents of those that wait for a decision in service; how many."""
    return sum(_decide(address, SourceAddress.State.RETAINED) for address in addresses)


@transaction.atomic
def allow_again(*, addresses: Iterable[SourceAddress]) -> int:
    """Forget that editors deleted the documents: the next synchronisation takes them anew. How many."""
    refused = [address.pk for address in addresses if address.refused]
    return SourceAddress.objects.filter(pk__in=refused, document=None).delete()[0]


@transaction.atomic
def _decide(address: SourceAddress, state: SourceAddress.State) -> bool:
    waiting = SourceAddress.objects.filter(pk=address.pk, state=SourceAddress.State.WAITING)
    if not waiting.update(state=state):
        return False
    document = Document.objects.filter(pk=address.document_id or 0).first()
    if document and state == SourceAddress.State.ARCHIVED and document.status != Document.Status.ARCHIVED:
        archive_document(document=document)
    return True


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
