"""New unanswered questions come into the inbox of knowledge gaps."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

import numpy as np
from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from numpy.typing import NDArray

from ingestion.selectors import operator, visible_collections
from knowledgetree.postgres.locks import Lock, try_to_hold
from rag.insight.analytics.gaps import MOST, UNANSWERED
from rag.insight.analytics.likeness import ALIKE, directions, groups, weighed
from rag.insight.analytics.questions import AskedQuestion, grouped, understood_as
from rag.models import Exchange, KnowledgeGap
from rag.services.gaps import forget_empty_gaps, join_gap, open_gap

DAYS = 90
"""Older questions are not brought in any more."""

_COMPARED = 600  # wordings of gaps, the last asked ones
_SAME = 0.999  # a cosine: the same words, whatever else the gap has


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """How many gaps are `new`, how many grew, and how many of these had been answered."""

    new: int = 0
    grown: int = 0
    reopened: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """Gaps and the wordings of their questions: `owners[n]` is the number of the gap that has `texts[n]`."""

    gaps: dict[int, KnowledgeGap]
    owners: list[int]
    texts: list[str]


@transaction.atomic
def gather_gaps() -> Gathered:
    """Each unanswered question of the last DAYS joins the gap that it is like, or a new one. Again changes nothing.

    While another intake runs, it is left to that one.
    """
    if not try_to_hold(Lock.GAPS):
        return Gathered()
    forget_empty_gaps()
    since = timezone.now() - timedelta(days=DAYS)
    fresh = grouped(Exchange.objects.filter(UNANSWERED, gaps=None, created__gte=since))
    return _take_in(fresh) if fresh else Gathered()


def _take_in(fresh: Sequence[AskedQuestion]) -> Gathered:
    known = _known()
    collections = [collection.pk for collection in visible_collections(operator())]
    rows = directions(weighed([*(one.text for one in fresh), *known.texts], collections)[1])
    own, theirs = rows[: len(fresh)], rows[len(fresh) :]
    joined: dict[int, list[AskedQuestion]] = {}
    alone: list[int] = []
    for number, question in enumerate(fresh):
        gap = _nearest(own[number], theirs, known.owners)
        if gap is None:
            alone.append(number)
        else:
            joined.setdefault(gap, []).append(question)
    reopened = [join_gap(gap=known.gaps[pk], exchanges=_exchanges(questions)) for pk, questions in joined.items()]
    opened = _together(alone, own)
    for numbers in opened:
        open_gap(exchanges=_exchanges(fresh[number] for number in numbers))
    return Gathered(new=len(opened), grown=len(joined), reopened=sum(reopened))


def _known() -> _Known:
    """Of all gaps, also closed ones: what is asked again belongs to them."""
    asked = (
        Exchange.objects.filter(gaps__isnull=False)
        .order_by()
        .annotate(text=understood_as())
        .values("gaps", "text")
        .annotate(last=Max("created"))
        .order_by("-last")[:_COMPARED]
    )
    pairs = [(row["gaps"], " ".join(row["text"].split())) for row in asked]
    gaps = KnowledgeGap.objects.in_bulk([pk for pk, _ in pairs])
    return _Known(gaps=gaps, owners=[pk for pk, _ in pairs], texts=[text for _, text in pairs])


def _nearest(row: NDArray[np.float64], theirs: NDArray[np.float64], owners: Sequence[int]) -> int | None:
    """The gap with the same question, else the one whose questions are on average most alike, and alike enough."""
    if not owners:
        return None
    cosines = theirs @ row
    if cosines.max() >= _SAME:
        return owners[int(cosines.argmax())]
    of_gap: dict[int, list[float]] = {}
    for owner, cosine in zip(owners, cosines, strict=True):
        of_gap.setdefault(owner, []).append(float(cosine))
    likeness, gap = max((sum(values) / len(values), owner) for owner, values in of_gap.items())
    return gap if likeness > ALIKE else None


def _together(numbers: Sequence[int], rows: NDArray[np.float64]) -> list[list[int]]:
    """The first MOST compared with each other, each further one for itself."""
    compared, rest = list(numbers[:MOST]), numbers[MOST:]
    found = [[compared[place] for place in group] for group in groups(rows[compared])] if compared else []
    return [*found, *([number] for number in rest)]


def _exchanges(questions: Iterable[AskedQuestion]) -> list[UUID]:
    return [key for question in questions for key in question.exchanges]
