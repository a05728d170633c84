"""The searches of a question, each by another light: words, vectors, names; and how their rankings are joined."""

import logging
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import numpy as np
from django.utils.translation import gettext as _
from numpy.typing import NDArray

from ingestion.embedding.cache import query_vector
from ingestion.models import EmbeddingSpace
from ingestion.selectors import embedder_of
from knowledgetree.conf import LexicalSettings
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.search_engine.configuration import SearchEngineSettings
from knowledgetree.search_engine.connection import EngineUnavailable
from rag.search.context import SearchContext
from rag.search.query.analysis import AnalysedQuery
from rag.search.retrieval.alternatives import phrase_scores
from rag.search.retrieval.backends.choice import search_backend
from rag.search.retrieval.backends.postgres import PostgresBackend
from rag.search.retrieval.backends.protocol import SearchBackend
from rag.search.retrieval.beside import beside
from rag.search.retrieval.filters import Condition
from rag.search.retrieval.fusion import fuse
from rag.search.retrieval.ranking import Hit, Ranking
from rag.types import Explanation, FusionMethod

log = logging.getLogger("knowledgetree.search")

# A query's embedding is computed beside the lexical search: one model call, no database connection.
_embedding = ThreadPoolExecutor(max_workers=4, thread_name_prefix="embed-query")
_EMBEDDING_SECONDS = 5.0  # a reader waits no longer for an embedder that hangs

QueryVector = NDArray[np.float32]
Explained = list[tuple[int, Explanation]]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rankings:
    """What each leg found, by the leg's name, with its weight."""

    by_leg: Mapping[str, Ranking]
    weights: Mapping[str, float]
    method: FusionMethod

    def explained(self) -> Explained:
        """The fused ranking, each chunk with its ranks and scores in every leg."""
        fused = fuse([(self.by_leg[leg], self.weights[leg]) for leg in self.by_leg], method=self.method)
        fields: dict[int, dict[str, Any]] = {chunk: {} for chunk, _ in fused}
        for leg, ranking in self.by_leg.items():
            for rank, hit in enumerate(ranking, start=1):
                fields[hit.chunk_id] |= _FIELDS[leg](rank, hit)
        return [
            (chunk, Explanation(fusion_method=self.method, fusion_score=score, **fields[chunk]))
            for chunk, score in fused
        ]


_FIELDS: dict[str, Any] = {
    "lexical": lambda rank, hit: {"lexical_rank": rank, "lexical_score": hit.score},
    "dense": lambda rank, hit: {"dense_rank": rank, "similarity": hit.score, "sentence": hit.part},
    "graph": lambda rank, hit: {"graph_rank": rank, "graph_score": hit.score, "graph_path": hit.path},
}


class LegRunner:
    """Runs the searches that the preset and the space give a weight, where `engine` has them searched."""

    def __init__(self, settings: LexicalSettings, engine: SearchEngineSettings) -> None:
        self._settings = settings
        self._backend = search_backend(engine, settings)
        self._postgres = PostgresBackend(settings)

    def embedding(self, search: SearchContext, text: str, *, passage: bool = False) -> "Future[QueryVector] | None":
        """The vector of a question, or of a text to be compared as a `passage`, under way; None where none counts."""
        if search.space is None or leg_weights(search)["dense"] <= 0:
            return None
        if search.space.template_version == 0:  # an embedder that counts words: a thread would only take turns with us
            return _embedded_here(search.space, text, passage=passage)
        return _embedding.submit(_embed, search.space, text, passage=passage)

    def nearest(self, search: SearchContext, vector: "Future[QueryVector]", condition: Condition) -> Ranking:
        """By vectors alone."""
        return self._by_vector(search, vector, condition)

    def run(
        self,
        search: SearchContext,
        query: AnalysedQuery,
        condition: Condition,
        *,
        vector: "Future[QueryVector] | None" = None,
    ) -> Rankings:
        """`vector`: that of the query, where somebody has begun it already."""
        weights = leg_weights(search)
        vector = vector or self.embedding(search, query.compared)
        by_vector = partial(self._by_vector, search, vector, condition)
        nearest = beside(by_vector) if vector and not condition.of_text else None
        by_leg: dict[str, Ranking] = {"lexical": self._by_words(search, query, condition)}
        search.clock.lap("lexical")
        if vector:
            # A phrase has to be looked for in the texts. Those that have it have its words, so they are among these.
            among = [hit.chunk_id for hit in by_leg["lexical"]]
            by_leg["dense"] = nearest() if nearest else by_vector(among)
            search.clock.lap("dense")  # what is left of it: it ran beside the other
        if weights["graph"] > 0:
            by_leg |= self._by_names(search, query, condition)
            search.clock.lap("graph")
        if "graph" not in by_leg:
            weights = leg_weights(search, graph=0.0)
        method = search.preset.fusion or search.fusion.get("method") or "weighted"
        return Rankings(by_leg=by_leg, weights=weights, method=method)

    def _by_words(self, search: SearchContext, query: AnalysedQuery, condition: Condition) -> Ranking:
        limit = search.preset.lexical_limit
        found = self._find(
            search,
            lambda backend: backend.by_words(
                query,
                collections=search.collections,
                statistics=search.statistics,
                condition=condition,
                limit=limit,
            ),
        )
        extra = phrase_scores(
            query.alternatives,
            collections=search.collections,
            statistics=search.statistics,
            condition=condition,
            settings=self._settings,
            limit=limit,
        )
        return [Hit(chunk, score) for chunk, score in _added(found, extra)[:limit]]

    def _find(self, search: SearchContext, leg: Callable[[SearchBackend], T]) -> T:
        """By PostgreSQL, with a note, where the search engine does not answer."""
        try:
            return leg(self._backend)
        except EngineUnavailable as error:
            log.warning("searched without the search engine", extra={"fields": {"error": str(error)}})
            if not any(entry.stage == "engine" for entry in search.trace):
                reason = _("The search engine does not answer, so PostgreSQL alone was searched.")
                search.note("engine", reason, applied=False)
            return leg(self._postgres)

    def _by_names(self, search: SearchContext, query: AnalysedQuery, condition: Condition) -> dict[str, Ranking]:
        """No leg at all, with a note, where the question names nothing that the graph knows."""
        from rag.search.retrieval.graph import (
            GraphRetriever,  # with scipy, which a preset without a graph does not need
        )

        found = GraphRetriever().retrieve(
            query.compared,
            collections=search.collections,
            statistics=search.statistics,
            condition=condition,
            limit=search.preset.graph_limit,
        )
        if not found:
            search.note("graph", _("The question names nothing that the documents name."), applied=False)
        return {"graph": found} if found else {}

    def _by_vector(
        self,
        search: SearchContext,
        vector: "Future[QueryVector] | None",
        condition: Condition,
        among: Sequence[int] | None = None,
    ) -> Ranking:
        """Nothing, with a note, where the embedder fails: the other legs still answer."""
        if vector is None or search.space is None:
            return []
        space = search.space
        try:
            asked = vector.result(timeout=_EMBEDDING_SECONDS)
            search.vector = asked if search.vector is None else search.vector
            nearest = self._find(
                search,
                lambda backend: backend.by_vector(
                    asked,
                    space=space,
                    collection_ids=[collection.pk for collection in search.collections],
                    statistics=search.statistics,
                    condition=condition,
                    limit=search.preset.dense_limit,
                    sentences=search.preset.sentences,
                    among=among,
                ),
            )
        except (KnowledgeTreeError, Late) as error:
            log.warning("searched without vectors", extra={"fields": {"error": str(error) or "late"}})
            search.note("dense", str(error) or _("The embedder did not answer in time."), applied=False)
            return []
        least = float(search.fusion.get("min_similarity", 0.0))
        return [Hit(hit.chunk_id, hit.similarity, hit.part) for hit in nearest if hit.similarity >= least]


def _embed(space: EmbeddingSpace, text: str, *, passage: bool) -> QueryVector:
    embedder = embedder_of(space)
    return embedder.embed_passages([text])[0] if passage else query_vector(embedder, text)


def _embedded_here(space: EmbeddingSpace, text: str, *, passage: bool) -> "Future[QueryVector]":
    future: Future[QueryVector] = Future()
    try:
        future.set_result(_embed(space, text, passage=passage))
    except KnowledgeTreeError as error:
        future.set_exception(error)
    return future


def leg_weights(search: SearchContext, *, graph: float | None = None) -> dict[str, float]:
    """The preset's, else those of the space; a space without vectors of its own has no say. `graph` instead of its."""
    dense = search.preset.dense_weight
    if search.space is None:
        dense = 0.0
    elif dense is None:
        dense = float(search.fusion.get("dense_weight", 0.4))
    graph = search.preset.graph_weight if graph is None else graph
    return {"lexical": (1 - dense) * (1 - graph), "dense": dense * (1 - graph), "graph": graph}


def _added(ranking: Sequence[tuple[int, float]], extra: dict[int, float]) -> list[tuple[int, float]]:
    scores = dict(ranking)
    for chunk, score in extra.items():
        scores[chunk] = scores.get(chunk, 0.0) + score
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))
