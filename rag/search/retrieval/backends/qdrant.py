"""Qdrant proposes chunks, PostgreSQL decides: who may read them, whether they are still so, and what they score.

So a stale index leaks nothing and changes no score. The ranking by words is PostgreSQL's own, whatever the engine was
filled with: it proposes by the weights of the day it was filled, and what those can be worth today has a bound
(`LengthNorm.most_gained`). Whatever was not proposed scores at most the last proposal's score times it; while the last
that is wanted does not score more, more is proposed (the stopping rule of Fagin's threshold algorithm, 2003).
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingestion.models import Collection, EmbeddingSpace
from ingestion.text.index_format.points import (
    KEPT_DIGITS,
    WORDS,
    LengthNorm,
    form_dimension,
    lemma_dimension,
    sentences_name,
    vector_name,
)
from knowledgetree.conf import LexicalSettings
from knowledgetree.search_engine.connection import Engine
from rag.search.query.analysis import AnalysedQuery
from rag.search.retrieval.backends.generation import SearchedGeneration, searched_generation
from rag.search.retrieval.backends.payload_filter import payload_filter
from rag.search.retrieval.backends.protocol import SearchBackend
from rag.search.retrieval.dense import DenseHit, DenseRetriever
from rag.search.retrieval.filters import Condition
from rag.search.retrieval.lexical import CorpusStatistics, LexicalRetriever, TermWeight, term_weights

if TYPE_CHECKING:
    from qdrant_client.models import QueryRequest

_PROPOSED = (4, 32, 256)
"""Times as many as are wanted are proposed: the first time, and where too few of them pass or are sure."""
_LEAST_EF = 128  # as many candidates as PostgreSQL's index looks at, and some


class Proposals(NamedTuple):
    """Chunks; and what one that is not among them scores at most by the engine's own weights; None: there is none."""

    chunks: set[int]
    bound: float | None


class QdrantBackend:
    """`engine` proposes; `otherwise` searches where it cannot: before the first generation is switched to, for phrases,
    which stand in the texts, and where so few pass that thousands of proposals do not hold enough.
    """

    def __init__(self, engine: Callable[[], Engine], settings: LexicalSettings, *, otherwise: SearchBackend) -> None:
        self._engine = engine
        self._settings = settings
        self._otherwise = otherwise
        self._lexical = LexicalRetriever(settings)
        self._dense = DenseRetriever()

    def by_words(
        self,
        query: AnalysedQuery,
        *,
        collections: Sequence[Collection],
        statistics: CorpusStatistics,
        condition: Condition,
        limit: int,
    ) -> list[tuple[int, float]]:
        weights, generation = term_weights(query, statistics), searched_generation()
        if weights and generation and not condition.of_text:
            today = LengthNorm(k1=self._settings.k1, b=self._settings.b, mean_length=statistics.mean_length)
            gained = generation.norm.most_gained(today) * (1 + KEPT_DIGITS)
            for times in _PROPOSED:
                requests = _by_words(weights, collections, condition, limit * times)
                proposed = self._proposed(generation, requests)
                found = self._lexical.score(
                    sorted(proposed.chunks | generation.changed),
                    query,
                    collections=collections,
                    statistics=statistics,
                    condition=condition,
                    limit=limit,
                )
                if proposed.bound is None or (len(found) == limit and found[-1][1] > proposed.bound * gained):
                    return found
            if len(found) == limit:
                return found  # what was not proposed may be better by the drift of the mean length, and no more
        return self._otherwise.by_words(
            query, collections=collections, statistics=statistics, condition=condition, limit=limit
        )

    def by_vector(
        self,
        vector: NDArray[np.float32],
        *,
        space: EmbeddingSpace,
        collection_ids: Sequence[int],
        statistics: CorpusStatistics,
        condition: Condition,
        limit: int,
        sentences: bool = False,
        among: Sequence[int] | None = None,
    ) -> list[DenseHit]:
        generation = None if among is not None or condition.of_text else searched_generation()
        if generation and space.pk in generation.spaces and collection_ids:
            parts = sentences and space.sentence_vectors
            for times in _PROPOSED:
                request = _by_vector(vector, space, collection_ids, condition, limit * times, parts=parts)
                proposed = self._proposed(generation, [request])
                found = self._dense.retrieve(
                    vector,
                    space=space,
                    collection_ids=collection_ids,
                    condition=condition,
                    limit=limit,
                    sentences=sentences,
                    among=sorted(proposed.chunks | generation.changed),
                )
                if len(found) == limit or proposed.bound is None:
                    return found
        return self._otherwise.by_vector(
            vector,
            space=space,
            collection_ids=collection_ids,
            statistics=statistics,
            condition=condition,
            limit=limit,
            sentences=sentences,
            among=among,
        )

    def _proposed(self, generation: SearchedGeneration, requests: Sequence["QueryRequest"]) -> Proposals:
        """What the engine finds, in one round trip."""
        if not requests:
            return Proposals(set(), None)
        engine = self._engine()
        with engine.reach() as client:
            replies = client.query_batch_points(engine.collection(generation.number), requests=list(requests))
        rankings = [reply.points for reply in replies]
        full = [
            ranking[-1].score
            for ranking, request in zip(rankings, requests, strict=True)
            if len(ranking) == request.limit
        ]
        return Proposals({int(point.id) for ranking in rankings for point in ranking}, max(full, default=None))


def _by_words(
    weights: Mapping[int, TermWeight], collections: Sequence[Collection], condition: Condition, limit: int
) -> list["QueryRequest"]:
    """One request for all collections that weigh words alike, which most installations' do."""
    from qdrant_client.models import QueryRequest, SparseVector

    alike: dict[tuple[float, float, bool], list[int]] = defaultdict(list)
    for collection in collections:
        alike[collection.lemma_weight, collection.form_weight, collection.mask_personal_data].append(collection.pk)
    requests = []
    for (lemma_weight, form_weight, masked), keys in alike.items():
        vector: dict[int, float] = {}
        for term, weight in weights.items():
            if not (weight.guarded and masked):
                vector[lemma_dimension(term)] = lemma_weight * weight.lemma_idf
                vector[form_dimension(term)] = form_weight * weight.form_idf
        if asked := {dimension: value for dimension, value in vector.items() if value > 0}:
            words = SparseVector(indices=list(asked), values=list(asked.values()))
            where = payload_filter(keys, condition)
            requests.append(QueryRequest(query=words, using=WORDS, filter=where, limit=limit))
    return requests


def _by_vector(
    vector: NDArray[np.float32],
    space: EmbeddingSpace,
    collection_ids: Sequence[int],
    condition: Condition,
    limit: int,
    *,
    parts: bool,
) -> "QueryRequest":
    """`parts`: a chunk is as near as the nearest of its vectors; Qdrant wants a list to compare with a list."""
    from qdrant_client.models import QueryRequest, SearchParams

    return QueryRequest(
        query=[vector.tolist()] if parts else vector.tolist(),
        using=sentences_name(space.pk) if parts else vector_name(space.pk),
        filter=payload_filter(collection_ids, condition),
        params=SearchParams(hnsw_ef=max(_LEAST_EF, limit)),
        limit=limit,
    )
