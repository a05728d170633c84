"""A lift for what the graph of names leads to: a reranker that compares words puts it back where it was without."""

from rag.search.context import SearchContext
from rag.types import Passage


def linked(search: SearchContext, passage: Passage) -> tuple[float, str]:
    """By the passage's score in the graph, in [0, 1]; the reason is the path of names that leads there."""
    explanation = passage.explanation
    return search.preset.boosts.linked * (explanation.graph_score or 0.0), " → ".join(explanation.graph_path)
