"""When reranking is not worth its time: by the scores of the legs alone, before any model is asked.

The normalised score of a passage is the sum over the legs of weight x score / best score of that leg, whatever the
fusion: in [0, 1], 1 for what is best in every leg. It is what the fusion `weighted` gives; `rrf` and `max` throw away
by how much a passage leads, which is all there is to know here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from statistics import pvariance
from typing import Any

from django.utils.translation import gettext as _

from rag.types import Explanation, Passage

_DEPTH = 10  # passages whose variance counts: what a reader sees
_SCORES: Mapping[str, Callable[[Explanation], float | None]] = {
    "lexical": lambda found: found.lexical_score,
    "dense": lambda found: found.similarity,
    "graph": lambda found: found.graph_score,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """In normalised scores; None: never for this reason.

    Reranking is skipped where the first passage leads by `gap` or more (clear winner), where its score is `top` or
    more (high confidence), or where the scores of the first ten vary by `variance` or less.
    """

    gap: float | None = None
    top: float | None = None
    variance: float | None = None


# What skips most at less than 0.5 points of nDCG@10, for the reranker `features` on five question sets
# (docs/benchmarks.md). The other two reasons are off: a high top score costs nearly three times as much as the gap for
# the same share skipped, and low variance costs more than skipping by lot would.
SHIPPED = Thresholds(gap=0.17)


def thresholds(fusion: Mapping[str, Any]) -> Thresholds:
    """The shipped ones, or those that an embedding space has of its own: `skip_gap`, `skip_top`, `skip_variance`."""
    own = {field.name: fusion[key] for field in fields(Thresholds) if (key := f"skip_{field.name}") in fusion}
    return replace(SHIPPED, **own)


def skip_reason(scores: Sequence[float], limits: Thresholds) -> str:
    """Why passages of these normalised `scores`, in fused order, are not to be reranked, for the reader; else empty."""
    if len(scores) < 2:
        return _("There is nothing to put into order.")
    if limits.gap is not None and (gap := lead(scores)) >= limits.gap:
        return _("Clear winner: the first passage leads by %(gap).2f.") % {"gap": gap}
    if limits.top is not None and scores[0] >= limits.top:
        return _("High confidence: the first passage scores %(score).2f of 1.") % {"score": scores[0]}
    if limits.variance is not None and (variance := pvariance(scores[:_DEPTH])) <= limits.variance:
        return _("The first passages score alike (variance %(variance).3f).") % {"variance": variance}
    return ""


def lead(scores: Sequence[float]) -> float:
    """The lead of the first over the best of the others; below 0 where the legs and their fusion disagree."""
    return scores[0] - max(scores[1:])


def normalised_scores(passages: Sequence[Passage], weights: Mapping[str, float]) -> list[float]:
    """The score of each passage, in order; `weights` of the legs by name, summing to 1."""
    totals = [0.0] * len(passages)
    for leg, weight in weights.items():
        scores = [max(0.0, _SCORES[leg](passage.explanation) or 0.0) for passage in passages]
        best = max(scores, default=0.0) or 1.0
        totals = [total + weight * score / best for total, score in zip(totals, scores, strict=True)]
    return totals
