"""Nearest vectors in the active embedding space, by cosine, over its half-precision HNSW index."""

from collections.abc import Sequence

import numpy as np
from django.db import connection, transaction
from numpy.typing import NDArray

from ingestion.embedding.literal import vector_literal
from ingestion.models import EmbeddingSpace
from rag.retrieval.filters import Condition

# The literal space and dimension let the planner see the partial expression index.
_SEARCH = """
SELECT e.chunk_id, 1 - (e.embedding::halfvec({dimension}) <=> %s::halfvec({dimension})) AS similarity
FROM ingestion_chunkembedding e
JOIN ingestion_chunk c ON c.id = e.chunk_id
JOIN ingestion_document d ON d.id = c.document_id
WHERE e.space_id = {space} AND e.part = 0 AND c.collection_id = ANY(%s) AND {condition}
ORDER BY e.embedding::halfvec({dimension}) <=> %s::halfvec({dimension})
LIMIT %s
"""


class DenseRetriever:
    """`ef_search` is the size of HNSW's candidate list; the scan goes on past it until `limit` rows pass the filter."""

    def __init__(self, ef_search: int = 100) -> None:
        self._ef_search = int(ef_search)

    def retrieve(
        self,
        vector: NDArray[np.float32],
        *,
        space: EmbeddingSpace,
        collection_ids: Sequence[int],
        condition: Condition,
        limit: int,
    ) -> list[tuple[int, float]]:
        """(chunk key, cosine) pairs, nearest first, at most `limit`."""
        sql = _SEARCH.format(space=int(space.pk), dimension=int(space.dimension), condition=condition.sql)
        literal = vector_literal(vector)
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL hnsw.ef_search = {self._ef_search}")
            cursor.execute("SET LOCAL hnsw.iterative_scan = strict_order")
            cursor.execute(sql, [literal, list(collection_ids), *condition.parameters, literal, limit])
            return [(int(chunk), float(similarity)) for chunk, similarity in cursor.fetchall()]
