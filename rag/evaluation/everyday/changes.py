"""Which questions got worse since an earlier measurement, and which got better."""

from collections.abc import Mapping
from dataclasses import dataclass

from rag.evaluation.everyday.outcomes import EverydayOutcome, EverydayQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeChange:
    """`key` is the question's identifier in its set; `steps` above 0: so many outcomes worse, below: better."""

    key: str
    before: EverydayOutcome
    after: EverydayOutcome
    steps: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeChanges:
    """Both by how much they changed, the greatest change first; `common`: questions that both runs asked."""

    worse: tuple[OutcomeChange, ...]
    better: tuple[OutcomeChange, ...]
    common: int


def compare_outcomes(before: Mapping[str, EverydayQuestion], after: Mapping[str, EverydayQuestion]) -> OutcomeChanges:
    """What changed among the questions that both have; one whose labels say another thing now is not the same."""
    common = [key for key, now in after.items() if key in before and before[key].answerable == now.answerable]
    changed = [_changed(key, before[key], after[key]) for key in common]
    changed.sort(key=lambda one: abs(one.steps), reverse=True)
    return OutcomeChanges(
        worse=tuple(one for one in changed if one.steps > 0),
        better=tuple(one for one in changed if one.steps < 0),
        common=len(common),
    )


def _changed(key: str, before: EverydayQuestion, after: EverydayQuestion) -> OutcomeChange:
    return OutcomeChange(key=key, before=before.outcome, after=after.outcome, steps=after.place - before.place)
