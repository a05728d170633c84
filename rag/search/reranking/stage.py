"""The reranking of a search: which reranker, on how many passages, and what happens when it fails."""

import logging
import time
from collections.abc import Sequence
from dataclasses import replace

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext as _

from knowledgetree.components import component
from rag.errors import RerankingFailed
from rag.search.context import SearchContext
from rag.search.reranking.conditional import normalised_scores, skip_reason, thresholds
from rag.search.reranking.protocol import Reranker
from rag.search.stages.legs import leg_weights
from rag.types import Passage

log = logging.getLogger("knowledgetree.search")


class Reranking:
    """Reranks the best passages, as many as preset and reranker allow; the others stay below them in fused order.

    The fused order stands, and the trace says why, where the preset asks for no reranker, or only in doubt and there is
    none, and where the reranker is late, fails or cannot be had. What the reranker gave is written on passages that
    are shown, by `with_reranker`: there are four times as many others.
    """

    name = "reranking"

    def apply(self, search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
        if not passages:
            return []
        if reason := _needless(search, passages):
            search.note(self.name, reason, applied=False)
            return list(passages)
        try:
            ranked = _reranked(search, passages)
        except (RerankingFailed, ImproperlyConfigured) as error:
            log.warning("searched without reranking", extra={"fields": {"error": str(error)}})
            search.note(self.name, _("The fused order stands: %(why)s") % {"why": error}, applied=False)
            return list(passages)
        search.note(self.name, search.reranker, applied=True)
        return ranked


def _needless(search: SearchContext, passages: Sequence[Passage]) -> str:
    """Why the passages are not reranked, for the reader; empty: they are."""
    if search.reranker == "none":
        return _("The fused order stands: no reranker is wanted.")
    if search.preset.rerank_when == "always":
        return ""
    return skip_reason(normalised_scores(passages, leg_weights(search)), thresholds(search.fusion))


def _reranked(search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
    deadline = time.monotonic() + search.preset.rerank_seconds
    reranker: Reranker = component("rerankers", search.reranker)
    limit = min(search.preset.rerank_limit, reranker.limit or len(passages))
    ranked = reranker.rerank(search, passages[:limit], deadline=deadline)
    search.reranked = {passage.chunk_id: passage.score for passage in ranked}
    return ranked + _below(passages[limit:], ranked)


def with_reranker(search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
    """The passages, each saying what the reranker gave it where it did."""
    return [
        _explained(passage, search.reranker, search.reranked[passage.chunk_id])
        if passage.chunk_id in search.reranked
        else passage
        for passage in passages
    ]


def _explained(passage: Passage, reranker: str, score: float) -> Passage:
    return replace(passage, explanation=replace(passage.explanation, reranker=reranker, reranker_score=score))


def _below(tail: Sequence[Passage], ranked: Sequence[Passage]) -> list[Passage]:
    """The rest with scores under the last reranked one, in their order: the two scales cannot be compared."""
    last = ranked[-1].score
    return [replace(passage, score=last - (place + 1) * 1e-6) for place, passage in enumerate(tail)]
