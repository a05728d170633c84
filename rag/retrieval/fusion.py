"""One ranking out of several. A ranking is a list of (chunk key, score), best first; a leg has a weight."""

from collections.abc import Callable, Sequence

from rag.types import FusionMethod

Ranking = Sequence[tuple[int, float]]

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


def _reciprocal_rank(ranking: Ranking) -> dict[int, float]:
    return {chunk: 1 / (_RRF_K + rank) for rank, (chunk, _) in enumerate(ranking, start=1)}


def _normalised(ranking: Ranking) -> dict[int, float]:
    """Scores over the best one, in [0, 1]; what is below zero counts as zero."""
    best = max((score for _, score in ranking), default=0.0)
    return {chunk: max(0.0, score) / best if best > 0 else 0.0 for chunk, score in ranking}


_METHODS: dict[str, Callable[[Ranking], dict[int, float]]] = {
    "rrf": _reciprocal_rank,
    "weighted": _normalised,
    "max": _normalised,
}
