"""How good a search is, by the calibrated relevance of what it found (Yan et al. 2024, Corrective RAG)."""

from collections.abc import Sequence

from knowledgetree.conf import CorrectionSettings
from rag.types import Passage, Quality

_AVERAGED = 5


def grade(passages: Sequence[Passage], limits: CorrectionSettings) -> Quality:
    """HIGH where the best passage suffices, MEDIUM where the best five do on average, else LOW."""
    best, average = strength(passages)
    if best > limits.high:
        return "HIGH"
    return "MEDIUM" if average > limits.medium else "LOW"


def strength(passages: Sequence[Passage]) -> tuple[float, float]:
    """The greatest relevance, and the average of the five greatest: searches of one question compare by it."""
    relevances = sorted((passage.relevance for passage in passages), reverse=True)[:_AVERAGED]
    return (relevances[0], sum(relevances) / len(relevances)) if relevances else (0.0, 0.0)
