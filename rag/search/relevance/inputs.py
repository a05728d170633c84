"""What relevance is computed from, a few numbers a passage. More of any of them never makes a passage less relevant."""

import math
from collections.abc import Sequence

from rag.search.context import SearchContext
from rag.types import Passage

# Their scores say how a passage stands to the others in its list, nothing that holds between questions.
_RELATIVE = frozenset({"none", "diversity"})
_LEAST_CHANCE = 1e-6


def input_values(search: SearchContext, passages: Sequence[Passage]) -> list[dict[str, float]]:
    """By name, for each passage.

    `early` and `kinship` are lexical signals in [0, 1]; `similarity` is `nearness`. `score` is the reranker's, and
    `logit` is ln(score / (1 - score)) of one that is a chance; boosts are the house's wishes and say nothing of
    relevance.
    """
    return [
        {
            "early": signals["early"],
            "kinship": signals["kinship"],
            "similarity": nearness(search, passage),
            "score": score(passage),
            "logit": _logit(score(passage)),
        }
        for passage, signals in zip(passages, search.words.signals(passages), strict=True)
    ]


def nearness(search: SearchContext, passage: Passage) -> float:
    """Its cosine; that of the farthest neighbour where it is not known: it lies no nearer."""
    found = passage.explanation.similarity
    return search.cosines.get(passage.chunk_id, search.farthest) if found is None else found


def has_absolute_scores(reranker: str) -> bool:
    """Whether its scores mean the same for every question."""
    return reranker not in _RELATIVE


def reranked_by(passage: Passage) -> str:
    """The reranker that gave the passage its place; `none` too where it failed, was late or was not needed."""
    return passage.explanation.reranker or "none"


def score(passage: Passage) -> float:
    """The reranker's, 0 where there is none or where its scores cannot be compared between questions."""
    given = passage.explanation.reranker_score
    return given if given is not None and has_absolute_scores(reranked_by(passage)) else 0.0


def _logit(chance: float) -> float:
    held = min(max(chance, _LEAST_CHANCE), 1 - _LEAST_CHANCE)
    return math.log(held / (1 - held))
