"""Knowledge gaps are opened, grow, are worked on and closed."""

from collections.abc import Iterable
from typing import TypedDict
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ingestion.models import Document
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.events.announcing import announce
from knowledgetree.events.registry import AnnouncedEvent
from rag.models import EvaluationDataset, EvaluationQuestion, Exchange, KnowledgeGap
from rag.services.judging import add_case

Status = KnowledgeGap.Status


class InvalidGap(KnowledgeTreeError):
    code = "invalid_gap"
    status = 400


class GapChange(TypedDict, total=False):
    """What somebody decides about a gap; what is left out stays."""

    status: str
    assignee: User | None
    task: str
    note: str
    answered_by: Document | None


@transaction.atomic
def open_gap(*, exchanges: Iterable[UUID]) -> KnowledgeGap:
    gap = KnowledgeGap.objects.create()
    keys = list(exchanges)
    gap.exchanges.set(Exchange.objects.filter(pk__in=keys))
    announce(AnnouncedEvent.GAP_OPENED, about=[gap.pk], gap=gap.pk, questions=len(keys), reopened=False)
    return gap


@transaction.atomic
def join_gap(*, gap: KnowledgeGap, exchanges: Iterable[UUID]) -> bool:
    """Further questions of the gap. Whether that reopened it: one was asked in vain after it had been answered."""
    gap = KnowledgeGap.objects.select_for_update().get(pk=gap.pk)
    joining = Exchange.objects.filter(pk__in=list(exchanges))
    gap.exchanges.add(*joining)
    if gap.status != Status.ANSWERED or not joining.filter(created__gt=gap.answered).exists():
        return False
    gap.status, gap.reopened = Status.NEW, timezone.now()
    gap.save(update_fields=["status", "reopened", "modified"])
    announce(AnnouncedEvent.GAP_OPENED, about=[gap.pk], gap=gap.pk, questions=gap.exchanges.count(), reopened=True)
    return True


@transaction.atomic
def change_gap(*, gap: KnowledgeGap, change: GapChange) -> list[str]:
    """The names of the fields that changed. Raises InvalidGap for a status that does not exist or lacks its reason."""
    gap = KnowledgeGap.objects.select_for_update().get(pk=gap.pk)
    before = {name: getattr(gap, name) for name in change}
    for name, value in change.items():
        setattr(gap, name, value.strip() if isinstance(value, str) else value)
    changed = [name for name in change if getattr(gap, name) != before[name]]
    _check(gap)
    if "status" in changed:
        gap.answered = timezone.now() if gap.status == Status.ANSWERED else None
        gap.reopened = None
    if changed:
        gap.save()
    return changed


def forget_empty_gaps() -> int:
    """Gaps whose questions were all deleted go too, with what was noted about them; how many."""
    return KnowledgeGap.objects.filter(exchanges=None).delete()[0]


@transaction.atomic
def add_gap_case(
    *, dataset: EvaluationDataset, text: str, answerable: bool, expected_answer: str = "", words: Iterable[str] = ()
) -> EvaluationQuestion:
    """A question of the set; `words` must stand in its answer. One that is there keeps what it has.

    Raises InvalidQuestion for an empty or too long text.
    """
    question = add_case(dataset=dataset, text=text, answerable=answerable, expected_answer=expected_answer)
    expected = list(dict.fromkeys(word.strip() for word in words if word.strip()))
    if expected and not question.expected_answer_contains:
        question.expected_answer_contains = expected
        question.save(update_fields=["expected_answer_contains"])
    return question


def _check(gap: KnowledgeGap) -> None:
    if gap.status not in Status.values:
        raise InvalidGap(_("There is no such status."))
    if gap.status == Status.DISMISSED and not gap.note:
        raise InvalidGap(_("Write in the note why nothing is to be done."))
