"""A search backend: the nearest chunks by words and by vectors, among those that a search may return."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ingestion.models import Collection, EmbeddingSpace
from rag.search.query.analysis import AnalysedQuery
from rag.search.retrieval.dense import DenseHit
from rag.search.retrieval.filters import Condition
from rag.search.retrieval.lexical import CorpusStatistics


class SearchBackend(Protocol):
    """Whatever finds the chunks, each that comes back meets `condition` in PostgreSQL at this moment, is of the given
    collections, and has the score that PostgreSQL gives it.

    Either method may raise EngineUnavailable; then PostgreSQL is searched.
    """

    def by_words(
        self,
        query: AnalysedQuery,
        *,
        collections: Sequence[Collection],
        statistics: CorpusStatistics,
        condition: Condition,
        limit: int,
    ) -> list[tuple[int, float]]:
        """(chunk key, BM25 score) pairs, best first, of equals the lower key; at most `limit`, scores above 0."""
        ...

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
        """The nearest chunks, nearest first, at most `limit`; only `among` these, where given. With `sentences` a chunk
        is as near as the nearest of its sentences and itself, where the space has such vectors.
        """
        ...
