"""No reranking: the fused order is the order."""

from collections.abc import Sequence

from rag.search.context import SearchContext
from rag.types import Passage


class NoReranker:
    limit: int | None = None

    def rerank(self, search: SearchContext, passages: Sequence[Passage], *, deadline: float) -> list[Passage]:
        """See `rag.search.reranking.protocol.Reranker`; the scores are those of the fusion."""
        return list(passages)
