"""One ranking out of several, each with its weight."""

from collections.abc import Callable, Sequence

from rag.search.retrieval.ranking import Ranking
from rag.types import FusionMethod

_RRF_K = 60  # Cormack, Clarke and Büttcher 2009


def fuse(rankings: Sequence[tuple[Ranking, float]], *, method: FusionMethod) -> list[tuple[int, float]]:
    """The union of `rankings`, each with its weight, best first; ties in order of key. At most the sum of weights."""
    contribution = _METHODS[method]
    scores: dict[int, float] = {}
    for ranking, weight in rankings:
        for chunk, value in contribution(ranking).items():
            gain = weight * value
            scores[chunk] = max(scores.get(chunk, 0.0), gain) if method == "max" else scores.get(chunk, 0.0) + gain
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


def reciprocal_rank(rank: int, weight: float = 1.0) -> float:
    """What a place in one ranking, counted from 1, adds in the fusion of several."""
    return weight / (_RRF_K + rank)


def _reciprocal_ranks(ranking: Ranking) -> dict[int, float]:
    return {hit.chunk_id: reciprocal_rank(rank) for rank, hit in enumerate(ranking, start=1)}


def _normalised(ranking: Ranking) -> dict[int, float]:
    """Scores over the best one, in [0, 1]; what is below zero counts as zero."""
    best = max((hit.score for hit in ranking), default=0.0)
    return {hit.chunk_id: max(0.0, hit.score) / best if best > 0 else 0.0 for hit in ranking}


_METHODS: dict[str, Callable[[Ranking], dict[int, float]]] = {
    "rrf": _reciprocal_ranks,
    "weighted": _normalised,
    "max": _normalised,
}
