"""The log as CSV, for an inspector: as many entries as there are, a few thousand at a time."""

import json
from collections.abc import Iterator

from django.db.models import QuerySet
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from knowledgetree.audit.models import AuditEntry
from knowledgetree.csv_files import BYTE_ORDER_MARK, csv_line

AT_ONCE = 2000


def csv_pieces(entries: "QuerySet[AuditEntry]") -> Iterator[str]:
    """The newest first. Nothing is held between two pieces: no cursor, no transaction."""
    yield BYTE_ORDER_MARK + csv_line(_names())
    last: int | None = None
    while rows := list((entries.filter(pk__lt=last) if last else entries).order_by("-pk")[:AT_ONCE]):
        last = rows[-1].pk
        yield "".join(csv_line(_cells(entry)) for entry in rows)


def _names() -> list[str]:
    return [
        _("number"), _("when"), _("who"), _("number of the account"), _("API key"), _("session"), _("address"),
        _("came in by"), _("what"), _("outcome"), _("kind of thing"), _("number of the thing"), _("name of the thing"),
        _("documents"), _("collections"), _("text"), _("details"), _("number of the request"),
    ]  # fmt: skip


def _cells(entry: AuditEntry) -> list[object]:
    return [
        entry.pk, localtime(entry.at).isoformat(timespec="seconds"), entry.user_name,
        "" if entry.user_number is None else entry.user_number, entry.key, entry.session, entry.address,
        entry.get_door_display(), entry.get_action_display(), entry.outcome, entry.subject_type, entry.subject,
        entry.label, _numbers(entry.documents), _numbers(entry.collections), entry.text,
        json.dumps(entry.details, ensure_ascii=False) if entry.details else "", entry.trace,
    ]  # fmt: skip


def _numbers(keys: list[int]) -> str:
    return " ".join(map(str, keys))
