"""From the signals of a passage to a relevance in [0, 1] that means the same for every question."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from rag.retrieval.context import SearchContext
from rag.types import Passage

# Logistic regression over 750 questions asked of their own corpus and 720 asked of a foreign one (five development
# sets, benchmarks/relevance.py): ROC AUC 0.990; at 0.4 it refuses 4.5 % of the first and 95 % of the second.
_WEIGHTS = {"early": 10.53, "kinship": 10.16}
_BIAS = -7.25
_STEEPNESS = 20.0  # of relevance over cosine, around the space's middle


class Relevance:
    """Gives each passage its relevance; the order stays."""

    name = "relevance"

    def apply(self, search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
        middle = search.fusion.get("similarity_middle")
        return [
            replace(passage, relevance=relevance(row, passage.explanation.similarity, middle))
            for passage, row in zip(passages, search.signals(passages), strict=True)
        ]


def relevance(signals: Mapping[str, float], similarity: float | None = None, middle: float | None = None) -> float:
    """By the words, from `signals` as `rag.reranking.signals` has them, or by meaning, whichever says more.

    `similarity` counts only in a space that states at which cosine a passage has an even chance (`middle`).
    """
    by_words = _logistic(_BIAS + sum(weight * signals[name] for name, weight in _WEIGHTS.items()))
    if similarity is None or middle is None:
        return by_words
    return max(by_words, _logistic(_STEEPNESS * (similarity - middle)))


def _logistic(value: float) -> float:
    return 1 / (1 + math.exp(-value))


def coverage(matched: list[float], total: float) -> float:
    """The idf of the words found, over that of all words asked, those that occur nowhere included."""
    return min(1.0, sum(matched) / total) if total > 0 else 0.0
