"""Whether the engine has what PostgreSQL has, chunk by chunk."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction

from ingestion.index.engine.points import MARK, marks_of
from ingestion.models import EngineGeneration
from knowledgetree.postgres.locks import Lock, hold
from knowledgetree.search_engine.connection import Engine

_BATCH = 1000
_CHUNKS = "SELECT id FROM ingestion_chunk WHERE id > %s AND id <= %s ORDER BY id"
_NOTED = "SELECT chunk_id FROM ingestion_enginechange WHERE generation_id = %s AND chunk_id = ANY(%s)"
_NEXT = "SELECT max(id) FROM (SELECT id FROM ingestion_chunk WHERE id > %s ORDER BY id LIMIT %s) AS these"


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineDifference:
    """How the engine differs from PostgreSQL in `compared` chunks: it lacks some (`missing`), has some otherwise
    (`changed`), and some that PostgreSQL has no more (`surplus`). What it has yet to be told is none of these.
    """

    compared: int
    missing: Sequence[int] = ()
    changed: Sequence[int] = ()
    surplus: Sequence[int] = ()

    @property
    def chunks(self) -> list[int]:
        return [*self.missing, *self.changed, *self.surplus]


def compare(engine: Engine, generation: EngineGeneration) -> Iterator[EngineDifference]:
    """Batch by batch, in order of the keys, to the last one that either has. Raises EngineUnavailable."""
    start: int | None = 0
    while start is not None:
        with transaction.atomic(), connection.cursor() as cursor:
            hold(Lock.ENGINE, generation.pk)  # nobody tells it meanwhile
            cursor.execute(_NEXT, [start, _BATCH])
            end = cursor.fetchone()[0]
            difference = _compare(engine, generation, start, end)
        start = end
        if difference.compared or difference.chunks:
            yield difference


def _compare(engine: Engine, generation: EngineGeneration, start: int, end: int | None) -> EngineDifference:
    """Of the chunks with keys above `start`, up to `end`; None: all above."""
    known = _marks(engine, generation, start, end)
    with connection.cursor() as cursor:
        cursor.execute(_CHUNKS, [start, start if end is None else end])
        ours = marks_of([row[0] for row in cursor.fetchall()], generation)
        cursor.execute(_NOTED, [generation.pk, sorted(ours.keys() | known.keys())])
        noted = {chunk for (chunk,) in cursor.fetchall()}
    return EngineDifference(
        compared=len(ours),
        missing=sorted(ours.keys() - known.keys() - noted),
        changed=sorted(chunk for chunk in (ours.keys() & known.keys()) - noted if ours[chunk] != known[chunk]),
        surplus=sorted(known.keys() - ours.keys() - noted),
    )


def _marks(engine: Engine, generation: EngineGeneration, start: int, end: int | None) -> dict[int, Any]:
    """By chunk, the mark of what the engine has of it. It gives points in order of their numbers."""
    marks: dict[int, Any] = {}
    offset: Any = start + 1
    with engine.reach() as client:
        while offset is not None and (end is None or offset <= end):
            points, offset = client.scroll(
                engine.collection(generation.pk), limit=_BATCH, offset=offset, with_payload=[MARK], with_vectors=False
            )
            marks |= {int(str(point.id)): (point.payload or {}).get(MARK) for point in points}
    return {chunk: mark for chunk, mark in marks.items() if end is None or chunk <= end}
