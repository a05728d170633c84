"""How far a mean may be off: percentile bootstrap over questions (Efron 1979)."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rag.evaluation.measures.ranking import Scores, means

RESAMPLES = 2_000
COVERED = 0.95
_SEED = 20_260_101


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """The mean over the `questions` that have the measure, and its 95 % interval."""

    measure: str
    mean: float
    low: float
    high: float
    questions: int


def estimates(scores: Scores) -> list[Estimate]:
    """An estimate of each measure, in the order of the first question that has it."""
    return [
        _estimate(measure, mean, [row[measure] for row in scores.values() if measure in row])
        for measure, mean in means(scores).items()
    ]


def bootstrap_interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of the mean of `values`; the same every time. Both ends are the value itself where all agree.

    Raises ValueError for no values. Of fewer than some ten values it is narrower than it should be.
    """
    if not values:
        raise ValueError("an interval needs values")
    known = np.asarray(values, dtype=float)
    chance = np.random.default_rng(_SEED)
    means = [known[chance.integers(0, len(known), len(known))].mean() for _ in range(RESAMPLES)]
    low, high = np.percentile(means, [50 * (1 - COVERED), 50 * (1 + COVERED)])
    return float(low), float(high)


def _estimate(measure: str, mean: float, values: Sequence[float]) -> Estimate:
    low, high = bootstrap_interval(values)
    return Estimate(measure=measure, mean=mean, low=low, high=high, questions=len(values))
