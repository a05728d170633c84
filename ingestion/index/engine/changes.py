"""What the engine has yet to be told, told: at least once, and always the state of the moment.

A batch is one transaction: it reads which chunks changed, then what PostgreSQL has of them, tells the engine, and
forgets the notes. Killed anywhere, it is told again. One process tells a generation at a time, so that older news never
come after newer ones.
"""

from collections.abc import Sequence
from typing import Any

from django.db import connection, transaction

from ingestion.index.engine.points import points_of
from ingestion.models import EngineChange, EngineGeneration
from knowledgetree.postgres.locks import Lock, hold
from knowledgetree.search_engine.connection import Engine

BATCH = 500
"""Chunks told of at once; with vectors of 1024 numbers some six megabytes."""

_NOTED = "SELECT id, chunk_id FROM ingestion_enginechange WHERE generation_id = %s ORDER BY id LIMIT %s"
_FORGET = "DELETE FROM ingestion_enginechange WHERE id = ANY(%s)"
_NOTE = "INSERT INTO ingestion_enginechange (generation_id, chunk_id) SELECT %s, unnest(%s::int[])"


def tell_changes(engine: Engine, generation: EngineGeneration) -> int:
    """Tell the engine of the oldest changes; how many notes were settled, 0: none is left. Raises EngineUnavailable."""
    with transaction.atomic(), connection.cursor() as cursor:
        hold(Lock.ENGINE, generation.pk)
        cursor.execute(_NOTED, [generation.pk, 2 * BATCH])  # a document notes its words and its vectors
        notes = cursor.fetchall()
        chunks = sorted({chunk for _, chunk in notes})
        if chunks:
            tell_chunks(engine, generation, chunks)
            cursor.execute(_FORGET, [[note for note, _ in notes]])
    return len(notes)


def tell_chunks(engine: Engine, generation: EngineGeneration, chunks: Sequence[int]) -> None:
    """Make the engine have what PostgreSQL has of these chunks. Raises EngineUnavailable."""
    points = points_of(chunks, generation)
    gone: Any = sorted(set(chunks) - {point.id for point in points})
    name = engine.collection(generation.pk)
    with engine.reach() as client:
        if points:
            client.upsert(name, points, wait=True)
        if gone:
            client.delete(name, gone, wait=True)


def note_chunks(generation: EngineGeneration, chunks: Sequence[int]) -> None:
    """Have the engine told of these chunks, as if they had changed."""
    with connection.cursor() as cursor:
        cursor.execute(_NOTE, [generation.pk, list(chunks)])


def waiting_changes(generation: EngineGeneration) -> int:
    """How many notes the engine has yet to be told of."""
    return EngineChange.objects.filter(generation=generation).count()
