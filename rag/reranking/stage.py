"""The reranking of a search: which reranker, on how many passages, and what happens when it fails."""

import time
from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from knowledgetree.components import component
from rag.errors import RerankingFailed
from rag.reranking.protocol import Reranker
from rag.retrieval.context import SearchContext
from rag.types import Passage


class Reranking:
    """Reranks the best `rerank_limit` passages; the others stay below them in fused order.

    Where the reranker fails or is late, the fused order stands and the trace says why.
    """

    name = "reranking"

    def apply(self, search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
        if not passages:
            return []
        limit = search.preset.rerank_limit
        head, tail = passages[:limit], passages[limit:]
        reranker: Reranker = component("rerankers", search.reranker)
        try:
            ranked = reranker.rerank(search, head, deadline=time.monotonic() + search.preset.rerank_seconds)
        except RerankingFailed as error:
            search.note(self.name, _("The fused order stands: %(why)s") % {"why": error.message}, applied=False)
            return list(passages)
        search.note(self.name, search.reranker, applied=search.reranker != "none")
        return [_explained(passage, search.reranker) for passage in ranked] + _below(tail, ranked)


def _explained(passage: Passage, reranker: str) -> Passage:
    return replace(
        passage,
        explanation=replace(passage.explanation, reranker=reranker, reranker_score=passage.score),
    )


def _below(tail: Sequence[Passage], ranked: Sequence[Passage]) -> list[Passage]:
    """The rest with scores under the last reranked one, in their order: the two scales cannot be compared."""
    last = ranked[-1].score
    return [replace(passage, score=last - (place + 1) * 1e-6) for place, passage in enumerate(tail)]
