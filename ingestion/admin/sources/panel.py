"""What stands above the form of a source: what it is doing, what it came to, and what can be done with it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from django_q.models import Schedule

from ingestion.admin.sources.sync_columns import COLOURS, numbers
from ingestion.jobs.syncing import schedule_name
from ingestion.models import Job, Source, SourceAddress, SyncReport
from ingestion.services.sources import pause_source, resume_source, start_sync
from ingestion.services.syncing.connecting import KEY, check_source, mirrors_rights
from ingestion.sources.connectors import KINDS

_SHOWN_REPORTS = 20
_State = SourceAddress.State


def panel_of(source: Source) -> dict[str, Any]:
    addresses = SourceAddress.objects.filter(source=source)
    jobs = Job.objects.filter(source=source, status__in=[Job.Status.QUEUED, Job.Status.RUNNING])
    reports = list(SyncReport.objects.filter(source=source)[:_SHOWN_REPORTS])
    last = next((report for report in reports if not report.dry), None)
    schedule = Schedule.objects.filter(name=schedule_name(source.pk)).first()
    return {
        "source": source,
        "job": jobs.first(),
        "documents": source.documents.count(),
        "waiting": addresses.filter(state=_State.WAITING).count(),
        "deleted": addresses.filter(document=None).exclude(state=_State.UNREAD).count(),
        "reports": [(report, COLOURS[report.status], numbers(report.counts)) for report in reports],
        "next": schedule.next_run if schedule and not source.paused else None,
        "connected": source.kind in KINDS,
        "account": source.options.get(KINDS[source.kind].account_setting, "") if source.kind in KINDS else "",
        "keyed": bool(source.encrypted_secret or source.options.get(KEY)),
        "limits": list(_limits_of(source)),
        "mirrors": mirrors_rights(source),
        "readers": source.options.get("readers", ""),
        "unknown": last.lists.get("unknown", []) if last else [],
    }


def _limits_of(source: Source) -> Iterator[tuple[Any, str]]:
    """What of its place alone is read, in the words of its form."""
    for setting in KINDS[source.kind].settings if source.kind in KINDS else ():
        if setting.about == "content" and (value := str(source.options.get(setting.name, ""))):
            yield setting.label, str(dict(setting.choices).get(value, value))
    for label, patterns in ((_("take only"), source.include), (_("leave out"), source.exclude)):
        if patterns:
            yield label, ", ".join(patterns)


def _start(source: Source) -> str:
    start_sync(source=source)
    return _("The synchronisation was started.")


def _start_dry(source: Source) -> str:
    start_sync(source=source, dry=True)
    return _("The trial was started. Its report will say what a synchronisation would do.")


def _pause(source: Source) -> str:
    pause_source(source=source)
    return _("The source is paused: nothing is read from it until you end the pause.")


def _resume(source: Source) -> str:
    resume_source(source=source)
    return _("The pause has ended; the source is synchronised.")


def _check(source: Source) -> str:
    check_source(source)
    return _("The place answers, and its account may list it.")


ACTS: Final[Mapping[str, Callable[[Source], str]]] = {
    "sync": _start,
    "dry": _start_dry,
    "pause": _pause,
    "resume": _resume,
    "check": _check,
}
"""By the last part of their address: each does something and says in words what it did. Raises KnowledgeTreeError."""
