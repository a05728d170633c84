"""Counts and calibration over everyday questions, of all and by kind."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from rag.evaluation.calibration.reliability import Bin, calibration_error, reliability_bins, roc_auc
from rag.evaluation.everyday.outcomes import EverydayOutcome, EverydayQuestion

_UNCERTAIN = (EverydayOutcome.NEAREST, EverydayOutcome.DOUBTED)


@dataclass(frozen=True, slots=True, kw_only=True)
class EverydayReport:
    """What `asked` came to. Questions with an answer in the sources are `answerable`, the others are not."""

    asked: tuple[EverydayQuestion, ...]

    @property
    def answerable(self) -> list[EverydayQuestion]:
        return [question for question in self.asked if question.answerable]

    @property
    def unanswerable(self) -> dict[str, list[EverydayQuestion]]:
        """By kind, in the order asked; "" for those of no kind."""
        return _by_kind(question for question in self.asked if not question.answerable)

    @property
    def answered(self) -> list[EverydayQuestion]:
        """Those that were given an answer, right or wrong."""
        return [question for question in self.asked if question.answered]

    @property
    def placed(self) -> list[EverydayQuestion]:
        """Answerable ones whose labels name a document."""
        return [question for question in self.answerable if question.rank is not None]

    @property
    def kinds(self) -> dict[str, "EverydayReport"]:
        """A report of each kind, in the order asked; none where no question has a kind."""
        kinds = {kind: EverydayReport(asked=tuple(asked)) for kind, asked in _by_kind(self.asked).items()}
        return kinds if any(kinds) else {}

    @property
    def auc(self) -> float | None:
        """The chance that a right answer has more confidence than a wrong one, 0.5 for none; None: one sort only."""
        right = self._right
        return roc_auc(self._confidences, right) if right.any() and not right.all() else None

    @property
    def bins(self) -> tuple[Bin, ...]:
        """Answers by their confidence, ten bins of equal width, empty ones left out."""
        every = np.full(len(self.answered), 1 / max(1, len(self.answered)))
        return reliability_bins(self._confidences, self._right, equal_mass=False, shares=every)

    @property
    def calibration_error(self) -> float | None:
        """Expected calibration error of the answers in [0, 1]; None where nothing was answered."""
        return calibration_error(self.bins) if self.answered else None

    @property
    def mean_confidence(self) -> float | None:
        """That of the answers; None where nothing was answered."""
        return float(self._confidences.mean()) if self.answered else None

    @property
    def share_right(self) -> float | None:
        """The part of the answers that is right; None where nothing was answered."""
        return float(self._right.mean()) if self.answered else None

    @property
    def uncertain(self) -> list[EverydayQuestion]:
        return [question for question in self.answerable if question.outcome in _UNCERTAIN]

    def count(self, *outcomes: EverydayOutcome) -> int:
        """How many of the answerable ones came to any of `outcomes`."""
        return sum(question.outcome in outcomes for question in self.answerable)

    def in_first(self, places: int) -> int:
        """How many have an expected document among the first `places` documents."""
        return sum(0 < (question.rank or 0) <= places for question in self.placed)

    @property
    def _confidences(self) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        return np.array([question.confidence for question in self.answered], dtype=float)

    @property
    def _right(self) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        return np.array([question.right for question in self.answered], dtype=bool)


def refused(questions: Iterable[EverydayQuestion]) -> int:
    return sum(question.outcome == EverydayOutcome.REFUSED for question in questions)


def _by_kind(questions: Iterable[EverydayQuestion]) -> dict[str, list[EverydayQuestion]]:
    kinds: dict[str, list[EverydayQuestion]] = {}
    for question in questions:
        kinds.setdefault(question.kind, []).append(question)
    return kinds
