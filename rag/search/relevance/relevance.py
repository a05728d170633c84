"""From what a passage shows to a relevance in [0, 1] that means the same for every question."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from rag.search.context import SearchContext
from rag.search.relevance.calibration import (
    compares_meaning,
    is_calibrated,
    logistic,
    own_calibration,
    shipped_calibration,
)
from rag.search.relevance.inputs import input_values, reranked_by
from rag.types import Passage

_STEEPNESS = 20.0  # of relevance over cosine, around the space's middle


class Relevance:
    """Gives each passage its relevance: the chance that it helps to answer. The order stays.

    By the weights that `calibrate` fitted for this space and reranker; else by the shipped ones, which know only
    words. In a space of a neural model a cosine above `similarity_middle` then counts too, and the trace says that
    nobody has calibrated it.
    """

    name = "relevance"

    def apply(self, search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
        if not passages:
            return []
        reranker = reranked_by(passages[0])
        if not is_calibrated(search.space, reranker):
            reason = _("Relevance is not calibrated for the reranker %(name)s in this space; run calibrate.")
            search.note(self.name, reason % {"name": reranker}, applied=True)
        chance = _chance(search, reranker)
        rows = input_values(search, passages)
        return [replace(passage, relevance=chance(row)) for passage, row in zip(passages, rows, strict=True)]


def _chance(search: SearchContext, reranker: str) -> Callable[[Mapping[str, float]], float]:
    own = own_calibration(search.space, reranker)
    if own:
        return own.chance
    by_words = shipped_calibration(reranker).chance
    if not compares_meaning(search.space):
        return by_words
    middle = float(search.fusion["similarity_middle"])
    return lambda values: max(by_words(values), by_cosine(values["similarity"], middle))


def by_cosine(similarity: float, middle: float) -> float:
    """An even chance at `middle`, a guess until the space is calibrated."""
    return logistic(_STEEPNESS * (similarity - middle))


def coverage(matched: list[float], total: float) -> float:
    """The idf of the words found, over that of all words asked, those that occur nowhere included."""
    return min(1.0, sum(matched) / total) if total > 0 else 0.0
