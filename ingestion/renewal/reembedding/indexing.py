"""The HNSW index of a space, built once it is full.

Filling an indexed space costs several times as much: every vector looks for its neighbours, at a random place of a
growing graph. Building afterwards does it in memory. Documents are written meanwhile (CONCURRENTLY).
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from ingestion.index.spaces import create_index, index_names
from ingestion.models import EmbeddingSpace
from knowledgetree.conf import rag_settings
from knowledgetree.postgres.locks import Lock, held_over_transactions


def build_index(space: EmbeddingSpace) -> bool:
    """Make the index unless it is there. False where another process builds it: a killed worker's statement goes on.

    Not inside a transaction. One processor works on it, the others serve. Memory is taken as the graph grows, some
    2 KB a vector of 384 numbers; a graph that outgrows what it may have is finished on disk, many times as slowly.
    """
    memory_mb = rag_settings().reembedding.index_memory_mb or _quarter_of_memory()
    with held_over_transactions(Lock.SPACE_INDEX, space.pk) as alone:  # a build waits for every snapshot
        if not alone:
            return False
        _drop(space, "AND NOT i.indisvalid")  # the remains of a build that was broken off
        with connection.cursor() as cursor:
            cursor.execute("SET max_parallel_maintenance_workers = 0")
            cursor.execute(f"SET maintenance_work_mem = '{int(memory_mb)}MB'")
            try:
                create_index(space, concurrently=True)
            finally:
                cursor.execute("RESET max_parallel_maintenance_workers")
                cursor.execute("RESET maintenance_work_mem")
            cursor.execute("ANALYZE ingestion_chunkembedding")
        return True


@contextmanager
def indexed_afterwards(space: EmbeddingSpace) -> Iterator[None]:
    """While the body writes very many vectors the space has no index: a vector costs a third of the time then.

    Searches compare every vector meanwhile. Not inside a transaction. Whoever is killed in it leaves a space without
    an index, which `ingestion.jobs.maintenance` makes at night.
    """
    drop_index(space)
    try:
        yield
    finally:
        build_index(space)


def _quarter_of_memory() -> int:
    """In MB, at least what the smallest installation had before."""
    return max(512, os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2**22)


def has_index(space: EmbeddingSpace) -> bool:
    return len(_indexes(space, "AND i.indisvalid")) == len(index_names(space))


def drop_index(space: EmbeddingSpace) -> None:
    """Not inside a transaction; searches go on."""
    _drop(space)


def _drop(space: EmbeddingSpace, condition: str = "") -> None:
    for name in _indexes(space, condition):
        with connection.cursor() as cursor:
            cursor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")


def _indexes(space: EmbeddingSpace, condition: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "  # noqa: S608
            f"WHERE i.indrelid = 'ingestion_chunkembedding'::regclass AND c.relname = ANY(%s) {condition}",
            [list(index_names(space))],
        )
        return [name for (name,) in cursor.fetchall()]
