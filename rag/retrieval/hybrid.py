"""Lexical and dense search together: retrieve, fuse, explain."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from ingestion.models import Chunk, Collection, EmbeddingSpace
from ingestion.selectors import active_space, embedder_of
from knowledgetree.conf import LexicalSettings
from rag.presets import Preset
from rag.query.analysis import AnalysedQuery, analyse_query
from rag.retrieval.dense import DenseRetriever
from rag.retrieval.explanation import WordExplainer
from rag.retrieval.filters import Condition, condition
from rag.retrieval.fusion import fuse
from rag.retrieval.lexical import CorpusStatistics, LexicalRetriever, chunk_counts, corpus_statistics
from rag.retrieval.relevance import relevance
from rag.types import Explanation, Filters, FusionMethod, Passage, SearchResult

# A query's embedding is computed beside the lexical search: one model call, no database connection.
_embedding = ThreadPoolExecutor(max_workers=4, thread_name_prefix="embed-query")


@dataclass(frozen=True, slots=True, kw_only=True)
class Legs:
    """What the two searches found, as {chunk: (rank, score)}, and how they are joined."""

    lexical: list[tuple[int, float]]
    dense: list[tuple[int, float]]
    method: FusionMethod
    dense_weight: float


class HybridRetriever:
    """Searches the given collections; whoever calls it has chosen only those that the viewer may read."""

    def __init__(self, *, preset: Preset, lexical: LexicalSettings) -> None:
        self._preset = preset
        self._settings = lexical
        self._lexical = LexicalRetriever(lexical)
        self._dense = DenseRetriever()

    def retrieve(self, text: str, *, collections: Sequence[Collection], filters: Filters, top_k: int) -> SearchResult:
        """At most `top_k` passages, best first, each explained."""
        clock = _Clock()
        keys = [collection.pk for collection in collections]
        query = analyse_query(text, keys)
        clock.lap("analysis")
        statistics = corpus_statistics(keys)
        where = condition(filters, query.phrases, query.excluded)
        legs = self._search(query, collections, statistics, where, clock)
        fused = fuse([(legs.lexical, 1 - legs.dense_weight), (legs.dense, legs.dense_weight)], method=legs.method)
        explainer = WordExplainer(query=query, statistics=statistics, settings=self._settings)
        passages = _passages(fused[:top_k], legs, explainer, {collection.pk: collection for collection in collections})
        clock.lap("explanation")
        return SearchResult(
            passages=passages, corrections=query.corrections, chunks_total=statistics.chunks, latency=clock.laps
        )

    def _search(
        self,
        query: AnalysedQuery,
        collections: Sequence[Collection],
        statistics: CorpusStatistics,
        where: Condition,
        clock: "_Clock",
    ) -> Legs:
        space = active_space()
        weight = self._dense_weight(space)
        vector = _embedding.submit(embedder_of(space).embed_query, query.text) if space and weight > 0 else None
        lexical = self._lexical.retrieve(
            query, collections=collections, statistics=statistics, condition=where, limit=self._preset.lexical_limit
        )
        clock.lap("lexical")
        dense = []
        if space and vector:
            dense = self._dense.retrieve(
                vector.result(),
                space=space,
                collection_ids=[collection.pk for collection in collections],
                condition=where,
                limit=self._preset.dense_limit,
            )
            least = float(space.fusion.get("min_similarity", 0.0))
            dense = [(chunk, similarity) for chunk, similarity in dense if similarity >= least]
        clock.lap("dense")
        method = self._preset.fusion or (space.fusion.get("method") if space else None) or "weighted"
        return Legs(lexical=lexical, dense=dense, method=method, dense_weight=weight)

    def _dense_weight(self, space: EmbeddingSpace | None) -> float:
        if self._preset.dense_weight is not None:
            return self._preset.dense_weight
        return float(space.fusion.get("dense_weight", 0.4)) if space else 0.0


def _passages(
    fused: Sequence[tuple[int, float]], legs: Legs, explainer: WordExplainer, collections: dict[int, Collection]
) -> tuple[Passage, ...]:
    rows = Chunk.objects.select_related("document").in_bulk([chunk for chunk, _ in fused])
    terms = {
        term.id for word in explainer.query.terms for term in (word.lemma_term, word.form_term) if term is not None
    }
    counts = chunk_counts(rows, terms)
    lexical = {chunk: (rank, score) for rank, (chunk, score) in enumerate(legs.lexical, start=1)}
    dense = {chunk: (rank, score) for rank, (chunk, score) in enumerate(legs.dense, start=1)}
    passages = []
    for key, score in fused:
        if key not in rows:  # deleted since it was found
            continue
        row = rows[key]
        collection = collections[row.collection_id]
        weighted = replace(explainer, lemma_weight=collection.lemma_weight, form_weight=collection.form_weight)
        covered = weighted.coverage(counts.get(key, {}))
        searched = "\n".join([row.document.title, *row.heading_path, row.text])
        explanation = Explanation(
            lexical_rank=lexical.get(key, (None, None))[0],
            lexical_score=lexical.get(key, (None, None))[1],
            dense_rank=dense.get(key, (None, None))[0],
            similarity=dense.get(key, (None, None))[1],
            words=weighted.matches(counts.get(key, {}), searched),
            coverage=covered,
            fusion_method=legs.method,
            fusion_score=score,
        )
        passages.append(_passage(row, collection, score, explanation))
    return tuple(passages)


def _passage(row: Chunk, collection: Collection, score: float, explanation: Explanation) -> Passage:
    document = row.document
    return Passage(
        chunk_id=row.pk,
        document_id=document.pk,
        collection=collection.slug,
        title=document.title,
        uri=document.uri,
        media_type=document.media_type,
        text=row.text,
        start=row.start,
        end=row.end,
        line_start=row.line_start,
        line_end=row.line_end,
        page_start=row.page_start,
        page_end=row.page_end,
        heading_path=tuple(row.heading_path),
        context_before=row.context_before,
        context_after=row.context_after,
        score=score,
        relevance=relevance(explanation.coverage),
        explanation=explanation,
    )


class _Clock:
    """Milliseconds spent between laps."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._last = time.perf_counter()

    def lap(self, stage: str) -> None:
        now = time.perf_counter()
        self.laps[stage] = (now - self._last) * 1000
        self._last = now
