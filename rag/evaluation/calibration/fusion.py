"""Choosing how a space's ranking is joined with the lexical one, by nDCG@10 on labelled questions."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, get_args

import numpy as np
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from ingestion.models import EmbeddingSpace
from rag.evaluation.calibration.legs import Legs
from rag.evaluation.datasets.questions import InvalidQuestionSet
from rag.evaluation.features.fitting import JudgedList, mean_ndcg_in_order
from rag.evaluation.measures.significance import LEVEL, permutation_p
from rag.search.retrieval.fusion import fuse
from rag.types import FusionMethod

WEIGHTS = tuple(round(0.1 * n, 1) for n in range(11))
SIMILARITIES = (0.0, 0.15, 0.25, 0.35, 0.5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fusion:
    """Keys of `EmbeddingSpace.fusion`; `dense_weight` in [0, 1], `min_similarity` a cosine."""

    method: FusionMethod
    dense_weight: float
    min_similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FusionReport:
    """nDCG@10 of `current` and `chosen` on `questions` that had no part in choosing; `p` two-sided."""

    current: Fusion
    chosen: Fusion
    before: float
    after: float
    p: float
    questions: int

    @property
    def better(self) -> bool:
        """By more than chance."""
        return self.after > self.before and self.p < LEVEL


def choose_fusion(legs: Sequence[Legs], *, current: Fusion) -> FusionReport:
    """The best of a grid on every other question, against `current` on those between. Raises InvalidQuestionSet."""
    if len(legs) < 2:
        raise InvalidQuestionSet(_("To choose a fusion, at least two answerable questions are needed."))
    chosen_on, checked_on = legs[::2], legs[1::2]
    grid = [current, *_grid(current)]
    means = [round(float(_ndcg(chosen_on, fusion).mean()), 6) for fusion in grid]
    chosen = grid[int(np.argmax(means))]  # the first of equals: the current one, if it is among them
    before, after = (_ndcg(checked_on, fusion) for fusion in (current, chosen))
    return FusionReport(
        current=current,
        chosen=chosen,
        before=float(before.mean()),
        after=float(after.mean()),
        p=permutation_p(np.round(after - before, 9)),
        questions=len(checked_on),
    )


def current_fusion(space: EmbeddingSpace) -> Fusion:
    said: dict[str, Any] = space.fusion
    return Fusion(
        method=said.get("method") or "weighted",
        dense_weight=float(said.get("dense_weight", 0.4)),
        min_similarity=float(said.get("min_similarity", 0.0)),
    )


def ranked(legs: Legs, fusion: Fusion) -> list[int]:
    """Chunks, best first: fused, and the first of them in the reranker's order."""
    dense = [hit for hit in legs.dense if hit.score >= fusion.min_similarity]
    weighed = [(legs.lexical, 1 - fusion.dense_weight), (dense, fusion.dense_weight)]
    order = [chunk for chunk, _ in fuse([leg for leg in weighed if leg[1] > 0], method=fusion.method)]
    if legs.scores is None:
        return order
    head, tail = order[: legs.rerank_limit], order[legs.rerank_limit :]
    return sorted(head, key=lambda chunk: -(legs.scores or {})[chunk]) + tail


def _grid(current: Fusion) -> list[Fusion]:
    similarities = sorted({*SIMILARITIES, current.min_similarity})
    methods: tuple[FusionMethod, ...] = get_args(FusionMethod)
    return [
        Fusion(method=method, dense_weight=weight, min_similarity=least)
        for least, method, weight in product(similarities, methods, WEIGHTS)
    ]


def _ndcg(legs: Sequence[Legs], fusion: Fusion) -> NDArray[np.float64]:
    """nDCG@10 of each question, shape (questions,)."""
    return np.array([_ndcg_of(one, ranked(one, fusion)) for one in legs])


def _ndcg_of(legs: Legs, chunks: Sequence[int]) -> float:
    documents = dict.fromkeys(legs.documents[chunk] for chunk in chunks)
    grades = np.array([legs.judgements.get(document, 0) for document in documents], dtype=float)
    return mean_ndcg_in_order(
        [JudgedList(signals=np.empty((len(grades), 0)), grades=grades, ideal=tuple(legs.judgements.values()))]
    )
