"""What a question came to: the one judgement that reports, stored runs and their comparison share."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from rag.evaluation.answers.report import JudgedAnswer

SURE = 0.7
"""Confidence from which an answer is taken on trust: one that is wrong then does harm."""

NEAR_MISS, FAR = "near_miss", "far"
"""Kinds of questions that no document answers: one stays on the subject, one leaves it."""


class EverydayOutcome(StrEnum):
    """`NEAREST` and `DOUBTED` are "not certain": passages are shown, the right one first or another."""

    RIGHT = "right"
    NEAREST = "nearest"
    DOUBTED = "doubted"
    REFUSED = "refused"
    WRONG = "wrong"
    SURE_WRONG = "sure_wrong"


_O = EverydayOutcome
_BEST_FIRST = {
    True: (_O.RIGHT, _O.NEAREST, _O.DOUBTED, _O.REFUSED, _O.WRONG, _O.SURE_WRONG),
    False: (_O.REFUSED, _O.DOUBTED, _O.NEAREST, _O.WRONG, _O.SURE_WRONG, _O.RIGHT),
}
"""By whether the sources answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EverydayQuestion:
    """A question that was asked. `confidence` is in [0, 1]; `rank` is the place of the first expected document among
    those found, from 1; 0: not among them, None: the question names none.
    """

    kind: str
    answerable: bool
    outcome: EverydayOutcome
    confidence: float
    rank: int | None

    @property
    def answered(self) -> bool:
        return self.outcome in {_O.RIGHT, _O.WRONG, _O.SURE_WRONG}

    @property
    def right(self) -> bool:
        return self.outcome == _O.RIGHT

    @property
    def worth(self) -> float:
        """What the reader has of it, in [0, 1]: nothing of a wrong answer, half of doubt in its place."""
        if self.answerable:
            return {_O.RIGHT: 1.0, _O.NEAREST: 0.5}.get(self.outcome, 0.0)
        return {_O.REFUSED: 1.0, _O.NEAREST: 0.5, _O.DOUBTED: 0.5}.get(self.outcome, 0.0)

    @property
    def place(self) -> int:
        """Its outcome among those of such a question, 0 for the best."""
        return _BEST_FIRST[self.answerable].index(self.outcome)


def everyday_questions(judged: Sequence[JudgedAnswer]) -> dict[str, EverydayQuestion]:
    """By identifier; questions with an answer whose labels do not say what it must contain cannot be judged so."""
    return {
        item.question.id: EverydayQuestion(
            kind=item.question.kind,
            answerable=item.question.answerable,
            outcome=_outcome(item),
            confidence=round(item.answer.confidence, 4),
            rank=(item.document_rank or 0) if item.question.expected_documents else None,
        )
        for item in judged
        if not item.question.answerable or item.contains_expected is not None
    }


def stored_outcomes(asked: Mapping[str, EverydayQuestion]) -> dict[str, dict[str, Any]]:
    """As a run keeps them; `read_outcomes` reads them back."""
    return {key: asdict(question) for key, question in asked.items()}


def read_outcomes(stored: Mapping[str, Mapping[str, Any]]) -> dict[str, EverydayQuestion]:
    """Raises ValueError for an outcome that there is not."""
    return {
        key: EverydayQuestion(**{**values, "outcome": EverydayOutcome(values["outcome"])})
        for key, values in stored.items()
    }


def _outcome(item: JudgedAnswer) -> EverydayOutcome:
    if item.refused:
        return _O.REFUSED
    if item.doubted:
        return _O.NEAREST if item.question.answerable and item.document_rank == 1 else _O.DOUBTED
    if item.question.answerable and item.has_expected:
        return _O.RIGHT
    return _O.SURE_WRONG if item.answer.confidence >= SURE else _O.WRONG
