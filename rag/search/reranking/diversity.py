"""Passages that say something else than those above them: maximal marginal relevance."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ingestion.models import ChunkEmbedding
from ingestion.text.analyser import analyser
from knowledgetree.components import component
from rag.search.context import SearchContext
from rag.search.reranking.protocol import Reranker
from rag.types import Passage

Matrix = NDArray[np.float64]


class DiversityReranker:
    """MMR (Carbonell and Goldstein 1998): picks, again and again, the passage with the greatest

        relevance x (score) - (1 - relevance) x (greatest similarity to a passage already picked)

    `relevance` is their lambda: 1 leaves the order as it is, 0 looks at similarity alone. The score is that of the
    reranker `first` (None: the one that suits the embedding space), brought to [0, 1] within the search; similarity in
    [0, 1] is the cosine of the space's vectors, or the share of words in common where a passage has none. Only the best
    `among` passages take part; the others stay below.
    """

    limit: int | None = None

    def __init__(self, *, relevance: float = 0.7, among: int = 20, first: str | None = None) -> None:
        self._relevance = relevance
        self._among = among
        self._first = first

    def rerank(self, search: SearchContext, passages: Sequence[Passage], *, deadline: float) -> list[Passage]:
        """See `rag.search.reranking.protocol.Reranker`. A score is what the passage was picked with, in [-1, 1]."""
        ordered = self._ordered(search, passages, deadline)
        taking_part, others = ordered[: self._among], ordered[self._among :]
        if not taking_part:
            return []
        scores = _spread([passage.score for passage in taking_part])
        picked = _picked(scores, _similarities(search, taking_part), self._relevance)
        lowest = picked[-1][1]
        return [
            *(replace(taking_part[place], score=value) for place, value in picked),
            *(replace(passage, score=lowest) for passage in others),
        ]

    def _ordered(self, search: SearchContext, passages: Sequence[Passage], deadline: float) -> list[Passage]:
        first: Reranker = component("rerankers", self._first or str(search.fusion.get("reranker", "features")))
        if first is self:  # a space that names this reranker as its own
            return list(passages)
        limit = first.limit or len(passages)
        return [*first.rerank(search, passages[:limit], deadline=deadline), *passages[limit:]]


def _picked(scores: Matrix, similarities: Matrix, relevance: float) -> list[tuple[int, float]]:
    """Places in the order they are picked, with their marginal relevance."""
    left, nearest, picked = list(range(len(scores))), np.zeros(len(scores)), []
    while left:
        values = relevance * scores[left] - (1 - relevance) * nearest[left]
        best = int(np.argmax(values))  # the first of equals
        place = left.pop(best)
        picked.append((place, float(values[best])))
        nearest = np.maximum(nearest, similarities[place])
    return picked


def _spread(scores: Sequence[float]) -> Matrix:
    """From 0, the worst, to 1, the best; all 1 where they are equal."""
    values = np.array(scores)
    width = np.ptp(values)
    return (values - values.min()) / width if width > 0 else np.ones(len(values))


def _similarities(search: SearchContext, passages: Sequence[Passage]) -> Matrix:
    """Of each passage with each, shape (passages, passages), in [0, 1]."""
    vectors = _vectors(search, passages)
    if vectors is not None:
        return np.clip(vectors @ vectors.T, 0.0, 1.0)
    words = [{lemma for _, lemma in analyser().words(passage.text)} for passage in passages]
    return np.array([[len(one & other) / max(1, len(one | other)) for other in words] for one in words])


def _vectors(search: SearchContext, passages: Sequence[Passage]) -> Matrix | None:
    """Unit vectors of the passages in the space of the search; None unless it has one of every passage."""
    stored = ChunkEmbedding.objects.filter(
        space=search.space, part=0, chunk_id__in=[passage.chunk_id for passage in passages]
    )
    found = dict(stored.values_list("chunk_id", "embedding")) if search.space else {}
    if len(found) < len(passages):
        return None
    vectors = np.array([found[passage.chunk_id] for passage in passages], dtype=np.float64)
    unit: Matrix = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return unit
