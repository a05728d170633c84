"""What a reranker promises. One is declared in `settings.RAG["components"]["rerankers"]`, or named by dotted path."""

from collections.abc import Sequence
from typing import Protocol

from rag.retrieval.context import SearchContext
from rag.types import Passage


class Reranker(Protocol):
    """Puts passages into a better order. One instance serves all threads."""

    def rerank(self, search: SearchContext, passages: Sequence[Passage], *, deadline: float) -> list[Passage]:
        """All of `passages`, best first, each with its `score`: higher is better, the scale is the reranker's own.

        `deadline` is a `time.monotonic()` reading. Raises RerankingFailed when it passes first or the model fails.
        """
