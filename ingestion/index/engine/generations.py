"""Generations of the search engine: begun, filled beside the one that serves, switched to, deleted."""

from datetime import timedelta

from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ingestion.errors import GenerationNotReady
from ingestion.index.engine.changes import BATCH, tell_changes, tell_chunks
from ingestion.index.engine.schema import create_collection, delete_collection
from ingestion.index.spaces import living_spaces
from ingestion.models import Chunk, EngineChange, EngineGeneration
from knowledgetree.conf import LexicalSettings
from knowledgetree.postgres.locks import Lock, hold
from knowledgetree.search_engine.configuration import SearchEngineSettings
from knowledgetree.search_engine.connection import Engine

HANDOVER = timedelta(minutes=1)
"""For so long after a switch a search may still look into the generation before."""

Status = EngineGeneration.Status
_MEAN = "SELECT coalesce(sum(words) / nullif(sum(chunks), 0), 1)::float8 FROM ingestion_collectionstatistics"
_THIS_TRANSACTION = "SELECT pg_current_xact_id()::text::bigint"
_OLDEST_RUNNING = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint"
_NEXT = "SELECT id FROM ingestion_chunk WHERE id > %s ORDER BY id LIMIT %s"


def living_generations() -> list[EngineGeneration]:
    """Those that changes are noted for, the one that serves first."""
    return list(EngineGeneration.objects.exclude(status=Status.RETIRED).order_by("status"))


def begin_generation(engine: Engine, *, settings: SearchEngineSettings, lexical: LexicalSettings) -> EngineGeneration:
    """The generation that is being built; a new one where there is none. Raises EngineUnavailable."""
    building = EngineGeneration.objects.filter(status=Status.BUILDING).first() or _create(lexical)
    create_collection(engine, building, settings)
    return building


@transaction.atomic
def _create(lexical: LexicalSettings) -> EngineGeneration:
    spaces = [space.pk for space in living_spaces()]
    with connection.cursor() as cursor:
        cursor.execute(_MEAN)
        mean = cursor.fetchone()[0]
        cursor.execute(_THIS_TRANSACTION)
        begun_in = cursor.fetchone()[0]
    return EngineGeneration.objects.create(
        k1=lexical.k1, b=lexical.b, mean_length=mean, spaces=spaces, begun_in=begun_in
    )


def waits_for_writers(generation: EngineGeneration) -> bool:
    """Whether a transaction runs that began to write before the generation was there: its changes are not noted, and
    its chunks not seen yet.
    """
    with connection.cursor() as cursor:
        cursor.execute(_OLDEST_RUNNING)
        return bool(cursor.fetchone()[0] <= generation.begun_in)


def fill_generation(engine: Engine, generation: EngineGeneration) -> int:
    """Write the next chunks into it, in order of their keys; how many, 0: it is full. What changes meanwhile is noted.

    Killed, it goes on after the last batch. Not before `waits_for_writers` is False. Raises EngineUnavailable.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        hold(Lock.ENGINE, generation.pk)
        generation.refresh_from_db()
        cursor.execute(_NEXT, [generation.filled_to, BATCH])
        chunks = [chunk for (chunk,) in cursor.fetchall()]
        if chunks:
            tell_chunks(engine, generation, chunks)
            generation.filled_to = chunks[-1]
        elif generation.filled is None:
            generation.filled = timezone.now()
        generation.save(update_fields=["filled_to", "filled"])
    return len(chunks)


def filled_chunks(generation: EngineGeneration) -> int:
    return Chunk.objects.filter(pk__lte=generation.filled_to).count()


def switch_generation(engine: Engine) -> EngineGeneration:
    """Let searches look into the generation that was filled, told of everything until now; the one before is retired.

    Raises GenerationNotReady where there is none, EngineUnavailable.
    """
    building = EngineGeneration.objects.filter(status=Status.BUILDING, filled__isnull=False).first()
    if building is None:
        raise GenerationNotReady(_("There is no generation that is full."))
    while tell_changes(engine, building):
        pass
    with transaction.atomic():
        retire_generations(Status.ACTIVE)
        building.status, building.activated = Status.ACTIVE, timezone.now()
        building.save(update_fields=["status", "activated"])
    return building


def retire_generations(*statuses: str) -> int:
    """Keep searches out of those, and note nothing for them any more; how many. Their collections go a minute later."""
    chosen = EngineGeneration.objects.filter(status__in=statuses)
    return chosen.update(status=Status.RETIRED, retired=timezone.now())


def drop_retired(engine: Engine) -> int:
    """Delete what no search looks into any more; how many generations. Raises EngineUnavailable."""
    retired = EngineGeneration.objects.filter(status=Status.RETIRED, retired__lt=timezone.now() - HANDOVER)
    for generation in (chosen := list(retired)):
        delete_collection(engine, generation)
        EngineChange.objects.filter(generation=generation).delete()
        generation.delete()
    return len(chosen)
