"""Whether a difference between two runs is more than chance.

Two-sided paired permutation test by scipy: under the null hypothesis the sign of each question's difference is a coin
toss (Fisher 1935; recommended for retrieval by Smucker, Allan and Carterette 2007).
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RESAMPLES = 9_999
LEVEL = 0.05
_SEED = 20_260_101
_BATCH = 500  # permutations in memory at a time: 500 x 4,000 questions are 16 MB


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Means over the `questions` that both runs have; `p` in (0, 1], better and worse are counts of questions."""

    measure: str
    before: float
    after: float
    p: float
    better: int
    worse: int
    questions: int

    @property
    def change(self) -> float:
        return self.after - self.before

    @property
    def significant(self) -> bool:
        return self.p < LEVEL


def compare_scores(
    before: Mapping[str, Mapping[str, float]], after: Mapping[str, Mapping[str, float]]
) -> tuple[Difference, ...]:
    """A difference for each measure that both runs gave to some common question; scores as in `Scores`."""
    measures = dict.fromkeys(measure for question in after.values() for measure in question)
    differences = []
    for measure in measures:
        common = [key for key in after if measure in after[key] and measure in before.get(key, {})]
        if common:
            old, new = (np.array([scores[key][measure] for key in common]) for scores in (before, after))
            differences.append(_difference(measure, old, new))
    return tuple(differences)


def _difference(measure: str, old: NDArray[np.float64], new: NDArray[np.float64]) -> Difference:
    change = np.round(new - old, 9)
    return Difference(
        measure=measure,
        before=float(old.mean()),
        after=float(new.mean()),
        p=permutation_p(change),
        better=int((change > 0).sum()),
        worse=int((change < 0).sum()),
        questions=len(change),
    )


def permutation_p(change: NDArray[np.float64]) -> float:
    """Two-sided p of paired differences, shape (questions,); exact up to 13 questions that differ, else sampled."""
    from scipy.stats import permutation_test

    moved = change[change != 0]  # the sign of a zero changes nothing
    if len(moved) < 2:
        return 1.0
    result = permutation_test(
        (moved,),
        np.sum,
        permutation_type="samples",
        vectorized=True,
        n_resamples=RESAMPLES,
        batch=_BATCH,
        rng=np.random.default_rng(_SEED),
    )
    return float(result.pvalue)
