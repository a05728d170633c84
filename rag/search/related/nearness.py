"""Which documents have chunks near to some passages, in an embedding space."""

from collections.abc import Iterable, Sequence

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from ingestion.models import EmbeddingSpace
from rag.search.retrieval.dense import DenseRetriever
from rag.search.retrieval.filters import Condition
from rag.search.retrieval.lexical import CorpusStatistics

_LOOKED_AT = 40  # chunks; the last of them is far enough away to be called the background

_MEAN = """
SELECT avg(embedding)::real[] FROM ingestion_chunkembedding WHERE space_id = %s AND chunk_id = ANY(%s) AND part = 0
"""
_DOCUMENTS = "SELECT id, document_id FROM ingestion_chunk WHERE id = ANY(%s)"


def near_documents(
    chunks: Sequence[int],
    *,
    space: EmbeddingSpace,
    collection_ids: Sequence[int],
    condition: Condition,
    statistics: CorpusStatistics,
) -> dict[int, float]:
    """By document, how near the nearest of its chunks is to the middle of `chunks`, in (0, 1].

    What a cosine says depends on the model: with some, all texts are at 0.8. So it is measured from the background,
    the least of the 40 nearest, which is 0.
    """
    middle = _middle(chunks, space)
    if middle is None:
        return {}
    hits = DenseRetriever().retrieve(
        middle,
        space=space,
        collection_ids=collection_ids,
        condition=condition,
        limit=_LOOKED_AT,
        statistics=statistics,
    )
    background = max(hits[-1].similarity, 0.0) if hits else 1.0
    near = {hit.chunk_id: (hit.similarity - background) / (1 - background) for hit in hits if background < 1}
    found: dict[int, float] = {}
    for chunk, document in _documents(near):
        found[document] = max(found.get(document, 0.0), near[chunk])
    return {document: share for document, share in found.items() if share > 0}


def _middle(chunks: Sequence[int], space: EmbeddingSpace) -> NDArray[np.float32] | None:
    with connection.cursor() as cursor:
        cursor.execute(_MEAN, [space.pk, list(chunks)])
        (mean,) = cursor.fetchone()
    return None if mean is None else np.asarray(mean, dtype=np.float32)


def _documents(chunks: Iterable[int]) -> list[tuple[int, int]]:
    with connection.cursor() as cursor:
        cursor.execute(_DOCUMENTS, [list(chunks)])
        return [(chunk, document) for chunk, document in cursor.fetchall()]
