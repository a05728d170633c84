"""Entries are written here, each by one INSERT."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError
from django.db.models import Model
from prometheus_client import Counter

from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.origin import Origin, hashed_session, origin
from knowledgetree.conf import rag_settings
from knowledgetree.logs import trace_id
from knowledgetree.postgres.optional import optional_write

log = logging.getLogger("knowledgetree.audit")

FAILURES = Counter("knowledgetree_audit_failures", "Entries of the audit log that could not be written.")

_PROGRAM = Origin(door=AuditEntry.Door.PROGRAM)


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What was done something to, where it is no document: its kind, its number, its name."""

    kind: str
    number: str = ""
    label: str = ""

    @classmethod
    def of(cls, row: Model) -> Subject:
        return cls(kind=row._meta.label_lower, number=str(row.pk), label=str(row))


_NOTHING = Subject(kind="")


def record(action: AuditEntry.Action, **what: Any) -> None:
    """Write an entry down, if it can be, with the arguments of `record_strictly`. A failure costs the entry and not the
    answer: it is logged and counted. What the program does by itself is not recorded.
    """
    if origin.get() is None:
        return
    written = False
    try:
        with optional_write("an entry of the audit log"):
            record_strictly(action, **what)
            written = True
    except DatabaseError:
        log.exception("an entry of the audit log is not as the database wants it")
    if not written:
        FAILURES.inc()


def record_strictly(
    action: AuditEntry.Action,
    *,
    viewer: Any = None,
    session_key: str = "",
    outcome: str = "",
    subject: Subject = _NOTHING,
    documents: Iterable[int] = (),
    collections: Iterable[int] = (),
    text: str | Callable[[], str] = "",
    details: Mapping[str, Any] | None = None,
) -> AuditEntry:
    """Write an entry, or raise the database's error: what must not be done unrecorded is then not done.

    `viewer` is who did it, where that is not whoever signed in, `session_key` by what a stranger is told from others,
    where that is not the browser's session. `text` has its personal data covered already, or says
    how to get it: it is then asked for only where there is an entry to be written.
    """
    came_from = origin.get() or _PROGRAM
    return AuditEntry.objects.create(
        action=action,
        outcome=outcome[:40],
        **_who(viewer if viewer is not None else came_from.user, came_from, session_key),
        address=came_from.address,
        door=came_from.door,
        trace=trace_id.get().strip("-")[:64],
        subject_type=subject.kind[:100],
        subject=subject.number[:64],
        label=_clean(subject.label)[:200],
        documents=sorted(set(documents)),
        collections=sorted(set(collections)),
        text=_kept_text(text),
        details=dict(details or {}),
    )


def _who(viewer: Any, came_from: Origin, session_key: str) -> dict[str, Any]:
    """A program's key stands on its viewer as `api_key` (`ingestion.models.viewers`), which is all we know of it."""
    if viewer is None or viewer.pk is None:
        return {"user_name": came_from.name, "session": hashed_session(session_key) or came_from.session}
    key = getattr(viewer, "api_key", None)
    return {"user_number": viewer.pk, "user_name": viewer.get_username()[:150], "key": key.prefix if key else ""}


def _kept_text(text: str | Callable[[], str]) -> str:
    if rag_settings().audit.questions == "none":
        return ""
    return _clean(text if isinstance(text, str) else text())


def _clean(text: str) -> str:
    return text.replace("\x00", "")
