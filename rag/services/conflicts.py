"""What editors decide about contradictions between documents."""

from collections.abc import Iterable, Sequence

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from knowledgetree.errors import KnowledgeTreeError
from rag.models import Conflict

Decision = Conflict.Decision
ALIKE = (Decision.NEITHER, Decision.BY_DATE, Decision.BY_UNIT, Decision.APART)
"""What holds for all contradictions of a group alike."""


class InvalidDecision(KnowledgeTreeError):
    code = "invalid_decision"
    status = 400


class AlreadyDecided(KnowledgeTreeError):
    code = "already_decided"
    status = 409

    def __init__(self, conflict: Conflict) -> None:
        when = date_format(timezone.localtime(conflict.decided), "DATETIME_FORMAT") if conflict.decided else "–"
        super().__init__(
            _("%(who)s decided about this contradiction on %(when)s: %(decision)s.")
            % {"who": conflict.decided_by or "–", "when": when, "decision": conflict.get_decision_display()},
            remedy=_("Look at it under “cleared”, and take the decision back there if it is wrong."),
        )


@transaction.atomic
def decide_conflicts(*, conflicts: Sequence[Conflict], by: User, decision: str = "", right: int | None = None) -> int:
    """Clear these contradictions of one group; how many there are. Either statement number `right` says it as it is,
    and those that differ from it are wrong, or all of them have the same `decision`.

    Raises InvalidDecision where neither is given, or no statement of theirs has that number, and AlreadyDecided where
    somebody was quicker; then nothing is changed.
    """
    rows = list(Conflict.objects.select_for_update().filter(pk__in=[one.pk for one in conflicts]).order_by("pk"))
    check_open(rows)
    if right is None and decision not in ALIKE:
        raise InvalidDecision(
            _("There is no such decision."), remedy=_("Choose the statement that is right, or why both may stand.")
        )
    if right is not None and not any(right in (row.first_id, row.second_id) for row in rows):
        raise InvalidDecision(_("This statement is no part of the contradiction."), remedy=_("Open the list again."))
    for row in rows:
        row.decision = decision if right is None else _decision_of(row, right)
        row.decided_by, row.decided = by, timezone.now()
        row.save(update_fields=["decision", "decided_by", "decided"])
    return len(rows)


@transaction.atomic
def take_back_decisions(*, conflicts: Sequence[Conflict]) -> int:
    """Take the decisions back; how many."""
    return Conflict.objects.filter(pk__in=[one.pk for one in conflicts]).update(
        decision=Decision.OPEN, decided_by=None, decided=None
    )


def check_open(conflicts: Iterable[Conflict]) -> None:
    """Raises AlreadyDecided where one of them does not wait for a decision."""
    for one in conflicts:
        if one.decision != Decision.OPEN:
            raise AlreadyDecided(one)


def _decision_of(row: Conflict, right: int) -> str:
    if right == row.first_id:
        return Decision.FIRST
    return Decision.SECOND if right == row.second_id else Decision.NEITHER
