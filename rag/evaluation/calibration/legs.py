"""Both rankings of each question, searched once and kept, so that many ways to join them can be tried in memory."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ingestion.models import EmbeddingSpace
from knowledgetree.components import component
from knowledgetree.conf import rag_settings
from rag.errors import RerankingFailed
from rag.evaluation.ranked_questions import Drawn, searched
from rag.presets import preset
from rag.search.context import SearchContext
from rag.search.relevance.inputs import has_absolute_scores
from rag.search.reranking.protocol import Reranker
from rag.search.retrieval.ranking import Hit
from rag.search.retriever import HybridRetriever
from rag.services.search import MAX_LENGTH
from rag.types import Filters, Passage

_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Legs:
    """What both searches of a question found, best first, and the URI of each chunk's document.

    `scores` are the reranker's by chunk, None where the fused order stays; it takes at most `rerank_limit`.
    """

    lexical: tuple[Hit, ...]
    dense: tuple[Hit, ...]
    documents: Mapping[int, str]
    judgements: Mapping[str, int]
    scores: Mapping[int, float] | None = None
    rerank_limit: int = 0


def collect_legs(
    drawn: Sequence[Drawn], *, space: EmbeddingSpace, reranker: str, progress: Callable[[int, int], None]
) -> list[Legs]:
    """For each answerable question. A reranker whose scores hang on the list it sees is left out."""
    chosen = replace(preset("offline"), reranker=reranker)
    retriever = HybridRetriever(
        preset=chosen,
        lexical=rag_settings().lexical,
        engine=rag_settings().search_engine,
        space=_searched_widely(space),
    )
    corpora = {one.dataset.pk: searched(one.dataset) for one in drawn}
    asked = [one for one in drawn if one.answerable]
    found = []
    for done, one in enumerate(asked, start=1):
        text = one.question.question[:MAX_LENGTH]
        search, passages = retriever.candidates(text, collections=corpora[one.dataset.pk], filters=Filters())
        found.append(_legs(one, search, passages))
        progress(done, len(asked))
    return found


def _searched_widely(space: EmbeddingSpace) -> EmbeddingSpace:
    """The same space, not to be saved, with both legs and every neighbour."""
    wide = EmbeddingSpace.objects.get(pk=space.pk)
    wide.fusion = {**space.fusion, "dense_weight": 0.5, "min_similarity": -1.0}
    return wide


def _legs(one: Drawn, search: SearchContext, passages: Sequence[Passage]) -> Legs:
    reranker: Reranker = component("rerankers", search.reranker)
    said = [(passage.chunk_id, passage.explanation) for passage in passages]
    return Legs(
        lexical=_in_order([(why.lexical_rank, chunk, why.lexical_score) for chunk, why in said]),
        dense=_in_order([(why.dense_rank, chunk, why.similarity) for chunk, why in said]),
        documents={passage.chunk_id: passage.uri for passage in passages},
        judgements=one.question.judgements,
        scores=_scores(reranker, search, passages) if has_absolute_scores(search.reranker) else None,
        rerank_limit=min(search.preset.rerank_limit, reranker.limit or search.preset.rerank_limit),
    )


def _in_order(found: Sequence[tuple[int | None, int, float | None]]) -> tuple[Hit, ...]:
    return tuple(Hit(chunk, score or 0.0) for rank, chunk, score in sorted(found, key=_rank) if rank is not None)


def _rank(item: tuple[int | None, int, float | None]) -> int:
    return item[0] or 0


def _scores(reranker: Reranker, search: SearchContext, passages: Sequence[Passage]) -> dict[int, float] | None:
    """In portions that the reranker takes; None where it fails."""
    portion = reranker.limit or max(1, len(passages))
    scores: dict[int, float] = {}
    try:
        for start in range(0, len(passages), portion):
            given = passages[start : start + portion]
            ordered = reranker.rerank(search, given, deadline=time.monotonic() + _SECONDS)
            scores |= {passage.chunk_id: passage.score for passage in ordered}
    except RerankingFailed:
        return None
    return scores
