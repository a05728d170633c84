"""What a reranker promises. One is declared in `settings.RAG["components"]["rerankers"]`, or named by dotted path."""

from collections.abc import Sequence
from typing import Protocol

from rag.search.context import SearchContext
from rag.types import Passage


class Reranker(Protocol):
    """Puts passages into a better order. One instance serves all threads."""

    @property
    def limit(self) -> int | None:
        """It is given no more passages than this at a time; None: as many as the preset says."""

    def rerank(self, search: SearchContext, passages: Sequence[Passage], *, deadline: float) -> list[Passage]:
        """All of `passages`, each once, best first, nothing of them changed but `score`: higher is better, equal where
        it cannot tell them apart (then in the order they came), the scale is the reranker's own.

        `deadline` is a `time.monotonic()` reading. Raises RerankingFailed, soon after the deadline at the latest, where
        it is late or its model fails; the fused order then stands.
        """
