"""Lifts in points of the reranker `features`, whose scores mean the same for every question."""

from dataclasses import replace

from rag.search.context import SearchContext
from rag.types import Boost, Passage


def has_known_scores(search: SearchContext, first: Passage) -> bool:
    """Whether the passages, of which `first` is the best, have been weighed by the reranker `features`."""
    return search.reranker == "features" and first.chunk_id in search.reranked


def lifted(passage: Passage, boost: Boost) -> Passage:
    """With the boost, which its explanation tells."""
    explanation = replace(passage.explanation, boosts=(*passage.explanation.boosts, boost))
    return replace(passage, score=passage.score + boost.value, explanation=explanation)
