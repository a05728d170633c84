"""Vectors computed before: of questions in memory, of passages in the database, for 30 days since they were last used.

The database keeps a hash and a vector, no text. Both say nothing to a reader, but a vector is near the vectors of texts
that mean the same; where a text has to be forgotten at once, `forget_texts` deletes what it left.
"""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from functools import lru_cache

import numpy as np
from django.db import connection
from django.utils import timezone
from numpy.typing import NDArray

from ingestion.embedding.protocol import Embedder
from ingestion.models import EmbeddingCacheEntry, EmbeddingSpace

KEPT = timedelta(days=30)

_QUERIES = 2000  # of 4 KB each, with 1024 dimensions
_BATCH = 512  # texts looked up, embedded and written together; what is written stays if a later batch fails


def query_vector(embedder: Embedder, text: str) -> NDArray[np.float32]:
    """`embedder.embed_query(text)`, read-only, from the memory of this process where it was asked for before."""
    return _remembered(embedder.embed_query, text) if embedder.cacheable else embedder.embed_query(text)


def passage_vectors(embedder: Embedder, texts: Sequence[str], *, space: EmbeddingSpace) -> NDArray[np.float32]:
    """`embedder.embed_passages(texts)`; only texts that are new to the space go to the embedder, each once."""
    if not embedder.cacheable or not texts:
        return embedder.embed_passages(texts)
    batches = (texts[start : start + _BATCH] for start in range(0, len(texts), _BATCH))
    return np.concatenate([_batch_vectors(embedder, batch, space) for batch in batches])


def purge_embedding_cache() -> int:
    """Delete what nobody has used for 30 days; how many."""
    deleted, _ = EmbeddingCacheEntry.objects.filter(used__lt=timezone.now() - KEPT).delete()
    return deleted


def forget_texts(texts: Sequence[str], *, space: EmbeddingSpace) -> int:
    """Delete the vectors of these texts (as they were embedded: see `ingestion.embedding.template`); how many."""
    hashes = [_hash(text) for text in texts]
    deleted, _ = EmbeddingCacheEntry.objects.filter(space=space, text_hash__in=hashes).delete()
    return deleted


@lru_cache(maxsize=_QUERIES)
def _remembered(embed: Callable[[str], NDArray[np.float32]], text: str) -> NDArray[np.float32]:
    vector = embed(text)
    vector.setflags(write=False)  # everybody gets the same one
    return vector


def _batch_vectors(embedder: Embedder, texts: Sequence[str], space: EmbeddingSpace) -> NDArray[np.float32]:
    hashes = [_hash(text) for text in texts]
    vectors = dict(_recall(space, hashes))
    new = {key: text for key, text in zip(hashes, texts, strict=True) if key not in vectors}
    if new:
        computed = dict(zip(new, embedder.embed_passages(list(new.values())), strict=True))
        _keep(space, computed)
        vectors |= computed
    return np.stack([vectors[key] for key in hashes])


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()


def _recall(space: EmbeddingSpace, hashes: Sequence[bytes]) -> Iterator[tuple[bytes, NDArray[np.float32]]]:
    with connection.cursor() as cursor:
        # `used` is written at most once a day, and never waited for: two workers may read the same texts.
        cursor.execute(
            """
            WITH stale AS (
                SELECT space_id, text_hash FROM ingestion_embeddingcacheentry
                WHERE space_id = %(space)s AND text_hash = ANY(%(hashes)s) AND used < now() - interval '1 day'
                FOR UPDATE SKIP LOCKED
            ), touched AS (
                UPDATE ingestion_embeddingcacheentry AS entry SET used = now() FROM stale
                WHERE entry.space_id = stale.space_id AND entry.text_hash = stale.text_hash
            )
            SELECT text_hash, embedding FROM ingestion_embeddingcacheentry
            WHERE space_id = %(space)s AND text_hash = ANY(%(hashes)s)
            """,
            {"space": space.pk, "hashes": list(hashes)},
        )
        for key, embedding in cursor.fetchall():
            if len(embedding) == 4 * space.dimension:
                yield bytes(key), np.frombuffer(embedding, dtype="<f4")


def _keep(space: EmbeddingSpace, vectors: dict[bytes, NDArray[np.float32]]) -> None:
    keys = sorted(vectors)  # in one order, so that writers of the same texts wait for each other, not crosswise
    with connection.cursor() as cursor:
        cursor.execute(
            """
            INSERT INTO ingestion_embeddingcacheentry (space_id, text_hash, embedding, used)
            SELECT %s, key, vector, now() FROM unnest(%s::bytea[], %s::bytea[]) AS computed(key, vector)
            ON CONFLICT DO NOTHING
            """,
            [space.pk, keys, [vectors[key].astype("<f4").tobytes() for key in keys]],
        )
