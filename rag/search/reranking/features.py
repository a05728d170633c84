"""A linear reranker over lexical signals: no model to download, weights in a file that a person can read."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from rag.search.context import SearchContext
from rag.search.relevance.inputs import nearness
from rag.search.signals import SIGNALS
from rag.types import Passage

SHIPPED = Path(__file__).with_name("features.json")
FEATURES = (*SIGNALS, "meaning")


class FeaturesReranker:
    """Scores passages by the weighted sum of their signals.

    `weights` by name of signal.
    """

    def __init__(self, weights: Mapping[str, float] | None = None) -> None:
        self.limit: int | None = None
        self._weights = dict(weights) if weights is not None else shipped_weights()

    def rerank(self, search: SearchContext, passages: Sequence[Passage], *, deadline: float) -> list[Passage]:
        """See `rag.search.reranking.protocol.Reranker`; it takes a millisecond, whatever the deadline."""
        scored = [
            replace(passage, score=sum(weight * row[name] for name, weight in self._weights.items()))
            for passage, row in zip(passages, passage_features(search, passages), strict=True)
        ]
        return sorted(scored, key=lambda passage: -passage.score)


def passage_features(search: SearchContext, passages: Sequence[Passage]) -> list[dict[str, float]]:
    """The signals of each passage by name, and as `meaning` its cosine, in a space that compares meanings and not
    letters; 0 in any other.
    """
    pairs = zip(search.words.signals(passages), _meanings(search, passages), strict=True)
    return [{**row, "meaning": near} for row, near in pairs]


def _meanings(search: SearchContext, passages: Sequence[Passage]) -> list[float]:
    if not search.fusion.get("meaning"):
        return [0.0] * len(passages)
    return [nearness(search, passage) for passage in passages]


@lru_cache(maxsize=1)
def shipped_weights() -> dict[str, float]:
    weights: dict[str, float] = json.loads(SHIPPED.read_text(encoding="utf-8"))["weights"]
    return weights
