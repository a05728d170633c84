"""How the generations of the search engine are, for whoever looks after them."""

from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from ingestion.index.engine.changes import waiting_changes
from ingestion.index.engine.generations import filled_chunks, living_generations
from ingestion.models import Chunk, EmbeddingSpace, EngineGeneration

_MEAN = "SELECT coalesce(sum(words) / nullif(sum(chunks), 0), 0)::float8 FROM ingestion_collectionstatistics"


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationState:
    """`written` of `chunks` were written when it was filled, `waiting` notes of changes it has yet to be told of.

    `drift`: by which share the mean length of chunks has changed since it was begun; a search then looks at more
    candidates. `lacks_space`: searches compare vectors that it does not have.
    """

    number: int
    status: str
    chunks: int
    written: int
    waiting: int
    drift: float
    lacks_space: bool
    created: datetime
    filled: datetime | None


def generation_states() -> list[GenerationState]:
    """Those that are alive, the one that serves first."""
    active = EmbeddingSpace.objects.filter(status=EmbeddingSpace.Status.ACTIVE).first()
    return [_state(generation, active) for generation in living_generations()]


def _state(generation: EngineGeneration, active: EmbeddingSpace | None) -> GenerationState:
    with connection.cursor() as cursor:
        cursor.execute(_MEAN)
        mean = cursor.fetchone()[0]
    return GenerationState(
        number=generation.pk,
        status=generation.status,
        chunks=Chunk.objects.count(),
        written=filled_chunks(generation),
        waiting=waiting_changes(generation),
        drift=mean / generation.mean_length - 1 if mean else 0.0,
        lacks_space=active is not None and active.pk not in generation.spaces,
        created=generation.created,
        filled=generation.filled,
    )
