"""Knowledge gaps: questions that the documents did not answer, those about the same thing together."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from django.db.models import Q

from ingestion.models.viewers import Viewer
from ingestion.selectors import visible_collections
from rag.insight.analytics.likeness import content, directions, groups, weighed
from rag.insight.analytics.period import Period
from rag.insight.analytics.questions import AskedQuestion, exchanges_of, grouped

MOST = 300
"""Wordings that are compared with each other: the time for it grows with their cube."""

UNANSWERED = Q(outcome__in=("not_found", "not_certain")) | Q(outcome="answered", quality="LOW") & ~Q(
    metrics__web_fallback=True
)
"""Of exchanges: nothing was found or nothing certain, or only what bears little on the question. The web counts as an
answer.
"""

_SUBJECTS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """`subject`: the lemmas that its questions share most, the rarest first. The most asked question comes first.

    `times`: how often its questions were asked; `not_found` of them had no answer at all, the others one from passages
    of LOW quality.
    """

    subject: tuple[str, ...]
    questions: tuple[AskedQuestion, ...]
    times: int
    not_found: int
    last: datetime


def gaps_of(period: Period, viewer: Viewer, *, most: int = MOST) -> list[Gap]:
    """The most asked first, then the last asked. Asked on the web instead counts as no gap.

    The `most` asked wordings are compared with each other; each further one is a gap of its own.
    """
    questions = grouped(exchanges_of(period, viewer).filter(UNANSWERED))
    alone = [_gap(sorted(content(question.text)), [question]) for question in questions[most:]]
    collections = [collection.pk for collection in visible_collections(viewer)]
    together = _together(questions[:most], collections) if questions else []
    return sorted([*together, *alone], key=lambda gap: (-gap.times, -gap.last.timestamp()))


def _together(questions: Sequence[AskedQuestion], collections: Sequence[int]) -> list[Gap]:
    lemmas, weights = weighed([question.text for question in questions], collections)
    gaps = []
    for rows in groups(directions(weights)):
        weight = weights[rows].mean(axis=0)
        heaviest = [lemmas[index] for index in np.argsort(-weight, kind="stable") if weight[index] > 0]
        gaps.append(_gap(heaviest, [questions[row] for row in rows]))
    return gaps


def _gap(subject: Sequence[str], questions: Sequence[AskedQuestion]) -> Gap:
    return Gap(
        subject=tuple(subject[:_SUBJECTS]),
        questions=tuple(questions),
        times=sum(question.times for question in questions),
        not_found=sum(question.not_found for question in questions),
        last=max(question.last for question in questions),
    )
