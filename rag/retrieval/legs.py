"""The two searches of a question, side by side, and how their rankings are joined."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from ingestion.models import Collection, EmbeddingSpace
from ingestion.selectors import active_space, embedder_of
from knowledgetree.conf import LexicalSettings
from rag.presets import Preset
from rag.query.analysis import AnalysedQuery
from rag.retrieval.alternatives import phrase_scores
from rag.retrieval.clock import Clock
from rag.retrieval.dense import DenseRetriever
from rag.retrieval.filters import Condition
from rag.retrieval.fusion import fuse
from rag.retrieval.lexical import CorpusStatistics, LexicalRetriever
from rag.types import Explanation, FusionMethod

# A query's embedding is computed beside the lexical search: one model call, no database connection.
_embedding = ThreadPoolExecutor(max_workers=4, thread_name_prefix="embed-query")


@dataclass(frozen=True, slots=True, kw_only=True)
class Legs:
    """What the two searches found, as (chunk, score), best first."""

    lexical: list[tuple[int, float]]
    dense: list[tuple[int, float]]
    method: FusionMethod
    dense_weight: float
    fusion: Mapping[str, Any]
    """What the embedding space says of itself (`EmbeddingSpace.fusion`)."""

    def explained(self) -> list[tuple[int, Explanation]]:
        """The fused ranking, each chunk with its ranks and scores in both legs."""
        rankings = [(self.lexical, 1 - self.dense_weight), (self.dense, self.dense_weight)]
        lexical = {chunk: (rank, score) for rank, (chunk, score) in enumerate(self.lexical, start=1)}
        dense = {chunk: (rank, score) for rank, (chunk, score) in enumerate(self.dense, start=1)}
        absent = (None, None)
        return [
            (
                chunk,
                Explanation(
                    lexical_rank=lexical.get(chunk, absent)[0],
                    lexical_score=lexical.get(chunk, absent)[1],
                    dense_rank=dense.get(chunk, absent)[0],
                    similarity=dense.get(chunk, absent)[1],
                    fusion_method=self.method,
                    fusion_score=score,
                ),
            )
            for chunk, score in fuse(rankings, method=self.method)
        ]


class LegRunner:
    """Runs both searches over the given collections."""

    def __init__(self, *, preset: Preset, settings: LexicalSettings) -> None:
        self._preset = preset
        self._settings = settings
        self._lexical = LexicalRetriever(settings)
        self._dense = DenseRetriever()

    def run(
        self,
        query: AnalysedQuery,
        *,
        collections: Sequence[Collection],
        statistics: CorpusStatistics,
        condition: Condition,
        clock: Clock,
    ) -> Legs:
        space = active_space()
        weight = self._dense_weight(space)
        vector = _embedding.submit(embedder_of(space).embed_query, query.text) if space and weight > 0 else None
        lexical = self._lexical.retrieve(
            query,
            collections=collections,
            statistics=statistics,
            condition=condition,
            limit=self._preset.lexical_limit,
        )
        extra = phrase_scores(
            query.alternatives,
            collections=collections,
            statistics=statistics,
            condition=condition,
            settings=self._settings,
            limit=self._preset.lexical_limit,
        )
        lexical = _added(lexical, extra)[: self._preset.lexical_limit]
        clock.lap("lexical")
        dense: list[tuple[int, float]] = []
        if space and vector:
            least = float(space.fusion.get("min_similarity", 0.0))
            nearest = self._dense.retrieve(
                vector.result(),
                space=space,
                collection_ids=[collection.pk for collection in collections],
                condition=condition,
                limit=self._preset.dense_limit,
            )
            dense = [(chunk, similarity) for chunk, similarity in nearest if similarity >= least]
            clock.lap("dense")
        fusion = space.fusion if space else {}
        method = self._preset.fusion or fusion.get("method") or "weighted"
        return Legs(lexical=lexical, dense=dense, method=method, dense_weight=weight, fusion=fusion)

    def _dense_weight(self, space: EmbeddingSpace | None) -> float:
        if self._preset.dense_weight is not None:
            return self._preset.dense_weight
        return float(space.fusion.get("dense_weight", 0.4)) if space else 0.0


def _added(ranking: list[tuple[int, float]], extra: dict[int, float]) -> list[tuple[int, float]]:
    if not extra:
        return ranking
    scores = dict(ranking)
    for chunk, score in extra.items():
        scores[chunk] = scores.get(chunk, 0.0) + score
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))
