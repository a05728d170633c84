"""What a search tries: values by name, each in its range, and what questions come to with them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from ingestion.selectors import active_space
from knowledgetree.errors import KnowledgeTreeError
from rag.evaluation.datasets.questions import LabelledQuestion
from rag.evaluation.optimization.objective import Objective, Progress, kind_of
from rag.evaluation.optimization.tried_parts import (
    PartRange,
    Values,
    as_parts,
    current_values,
    preset_in_force,
    rounded,
    tried_parts,
)
from rag.models import EvaluationRun, Optimization


class OutOfTime(KnowledgeTreeError):
    """What is tried could not be prepared within the limit of time."""

    code = "too_little_time"
    status = 400


class Variations(Protocol):
    """`ranges` are what may change, `current` the values in force; `proposals` are worth the first trials."""

    ranges: Sequence[PartRange]
    current: Values
    proposals: Sequence[Values]
    most: int

    def rounded(self, values: Values) -> dict[str, Any]:
        """As people would write them."""

    def scores(
        self, questions: Sequence[LabelledQuestion], values: Values, progress: Progress, goes_on: Callable[[], bool]
    ) -> dict[str, float]:
        """By question, in [0, 1]. `values` are those that differ from the ones in force. Raises OutOfTime where it does
        not go on long enough.
        """

    def keep(self, values: Values) -> None:
        """Remove what was made for trials, but for these values and those in force."""

    def close(self, values: Values) -> None:
        """Remove all that was made for trials; `values` may be put in force."""

    def found(self, values: Values) -> dict[str, Any]:
        """What the result says is to be put in force."""


class TriedParts:
    """Parts of a preset: nothing is made for them."""

    most: int = 2000
    """So many proposals end a search too: what was tried already takes no time."""

    def __init__(self, optimization: Optimization) -> None:
        self._objective, self._preset = Objective(optimization), preset_in_force(optimization)
        self.current: Values = current_values(self._preset, active_space())
        self.ranges: Sequence[PartRange] = tried_parts(
            answers=kind_of(optimization.measure) == EvaluationRun.Kind.ANSWERS
        )
        self.proposals: Sequence[Values] = ()

    def rounded(self, values: Values) -> dict[str, Any]:
        return rounded(values)

    def scores(
        self, questions: Sequence[LabelledQuestion], values: Values, progress: Progress, goes_on: Callable[[], bool]
    ) -> dict[str, float]:
        return self._objective.scores(questions, self.found(values), progress)

    def keep(self, values: Values) -> None:
        """There is nothing."""

    def close(self, values: Values) -> None:
        """There is nothing."""

    def found(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return as_parts(values, self._preset)
