"""The chunks that have no vector in a space yet, and how far it is."""

from dataclasses import dataclass

from django.db import connection

from ingestion.models import EmbeddingSpace

# A space is full when no chunk that is searched lacks the vector of the whole chunk; those of its sentences are
# written together with it.
_MISSING = """
SELECT c.id FROM ingestion_chunk c
WHERE c.enabled AND c.id > %s AND NOT EXISTS (
    SELECT FROM ingestion_chunkembedding e WHERE e.space_id = %s AND e.chunk_id = c.id AND e.part = 0
)
ORDER BY c.id
LIMIT %s
"""
_COUNTS = """
SELECT (SELECT count(*) FROM ingestion_chunkembedding WHERE space_id = %s AND part = 0),
       (SELECT count(*) FROM ingestion_chunk WHERE enabled)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """Chunks of a space: `done` of `total` have their vectors."""

    done: int
    total: int

    @property
    def share(self) -> float:
        """0 to 1; an empty knowledge base is done."""
        return min(1.0, self.done / self.total) if self.total else 1.0


def missing_chunks(space: EmbeddingSpace, *, after: int = 0, limit: int) -> list[int]:
    """The keys of the next chunks without a vector in the space, above `after`, at most `limit`."""
    with connection.cursor() as cursor:
        cursor.execute(_MISSING, [after, space.pk, limit])
        return [int(key) for (key,) in cursor.fetchall()]


def is_full(space: EmbeddingSpace) -> bool:
    return not missing_chunks(space, limit=1)


def progress(space: EmbeddingSpace) -> Progress:
    with connection.cursor() as cursor:
        cursor.execute(_COUNTS, [space.pk])
        done, total = cursor.fetchone()
    return Progress(done=done, total=total)
