"""The only ways in which the log shrinks: its term ends, or a right of somebody does away with words.

The trigger `knowledgetree_guard_audit` asks for the reason, which holds until the transaction ends.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import Subject, record_strictly
from knowledgetree.conf import rag_settings

Action = AuditEntry.Action

_AT_ONCE = 10_000  # rows; a night after a shortened term must not hold one transaction for all
_DELETE = """
DELETE FROM knowledgetree_auditentry
WHERE id IN (SELECT id FROM knowledgetree_auditentry WHERE at < %(before)s ORDER BY at LIMIT %(most)s)
"""


def forget_old_entries() -> int:
    """Delete the entries whose term is over; how many. That is recorded, so that nobody wonders about the beginning."""
    days, deleted = rag_settings().audit.days, 0
    if not days:
        return 0
    before = timezone.now() - timedelta(days=days)
    while count := _delete_some(before):
        deleted += count
    if deleted:
        record_strictly(Action.FORGET, details={"entries": deleted, "before": before.isoformat()})
    return deleted


def erase_texts_about(document: int) -> int:
    """Questions that the document answered, and searches that found it, lose their words: they may be its own. That
    they were asked, when and by whom stays. How many entries.
    """
    return _erase(AuditEntry.objects.filter(documents__contains=[document]).exclude(text=""), text="")


@transaction.atomic
def erase_person(name: str) -> int:
    """The account's name, its addresses and its words go from the log; the number of the account and what was done
    stay. How many entries.
    """
    own = AuditEntry.objects.filter(user_name=name)
    numbers = {str(number) for number in own.values_list("user_number", flat=True).distinct() if number is not None}
    about = AuditEntry.objects.filter(Q(label=name) | Q(subject__in=numbers), subject_type="auth.user")
    erased = _erase(about, label="", details={})
    erased += _erase(own, user_name="", address="", session="", text="")
    record_strictly(Action.ERASE, subject=Subject(kind="auth.user", number=",".join(sorted(numbers))))
    return erased


@transaction.atomic
def _delete_some(before: datetime) -> int:
    _give_reason("term")
    with connection.cursor() as cursor:
        cursor.execute(_DELETE, {"before": before, "most": _AT_ONCE})
        return int(cursor.rowcount)


@transaction.atomic
def _erase(entries: "QuerySet[AuditEntry]", **emptied: Any) -> int:
    _give_reason("erasure")
    return entries.update(**emptied)


def _give_reason(reason: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('knowledgetree.audit', %s, true)", [reason])
