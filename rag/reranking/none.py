"""No reranking: the fused order is the order."""

from collections.abc import Sequence

from rag.retrieval.context import SearchContext
from rag.types import Passage


class NoReranker:
    limit: int | None = None

    def rerank(self, search: SearchContext, passages: Sequence[Passage], *, deadline: float) -> list[Passage]:
        """See `rag.reranking.protocol.Reranker`; the scores are those of the fusion."""
        return list(passages)
