"""From retrieval scores to a relevance in [0, 1] that means the same for every question."""

import math
from collections.abc import Sequence

# Logistic of the share of the question's information that the passage covers: a passage that lacks two thirds of it
# is rarely an answer.
_SLOPE = 9.0
_MIDDLE = 0.34


def relevance(coverage: float) -> float:
    """`coverage` in [0, 1] is the idf-weighted share of the question's words found in the passage."""
    return 1 / (1 + math.exp(-_SLOPE * (coverage - _MIDDLE)))


def coverage(matched: Sequence[float], total: float) -> float:
    """The idf of the words found, over that of all words asked, those that occur nowhere included."""
    return min(1.0, sum(matched) / total) if total > 0 else 0.0
