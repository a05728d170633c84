"""Embedding spaces: which ones live, and the vectors that new chunks get in them."""

import logging
from collections.abc import Sequence

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from ingestion.embedding.protocol import Embedder
from ingestion.index.vectors import ChunkVectors, chunk_vectors
from ingestion.models import EmbeddingSpace
from ingestion.types import ChunkDraft, Progress, no_progress
from knowledgetree.components import component
from knowledgetree.conf import rag_settings
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.postgres.locks import Lock, hold

log = logging.getLogger("knowledgetree.jobs")

_BATCH = 256  # chunks an embedder gets at once: enough to sort by length, so that little of a batch is padding
_EF_CONSTRUCTION = 128  # recall@20 at 100k x 1024 is 0.99; with pgvector's 64 it is 0.96, and inserting costs the same
_Status = EmbeddingSpace.Status
_ACTIVE = Q(status=_Status.ACTIVE)
_BUILDING = Q(status=_Status.BUILDING, paused=False)


def living_spaces() -> list[EmbeddingSpace]:
    """The spaces that every new chunk gets a vector in: the active one and those being built.

    One that is paused or whose filling fails is left out; what it misses is made up for when it goes on.
    """
    ensure_active_space()
    return list(EmbeddingSpace.objects.filter(_ACTIVE | _BUILDING & Q(error="")).order_by("pk"))


def living_vectors(
    drafts: Sequence[ChunkDraft], *, titles: Sequence[str], progress: Progress = no_progress
) -> list[dict[int, ChunkVectors]]:
    """For each draft its vectors by the key of each living space.

    Where the embedder of the active space fails, its error is raised; a space that is still being built waits.
    """
    vectors: list[dict[int, ChunkVectors]] = [{} for _ in drafts]
    for space in living_spaces():
        try:
            for start in range(0, len(drafts), _BATCH):
                progress(start, len(drafts))
                batch = slice(start, start + _BATCH)
                for offset, parts in enumerate(chunk_vectors(drafts[batch], titles=titles[batch], space=space)):
                    vectors[start + offset][space.pk] = parts
        except KnowledgeTreeError as error:
            if space.status == _Status.ACTIVE:
                raise
            log.warning("a space missed a document", extra={"fields": {"space": space.name, "error": str(error)}})
    return vectors


def hold_spaces() -> dict[int, EmbeddingSpace]:
    """The spaces that may be written to, by key; until the transaction ends none is activated, retired or dropped."""
    hold(Lock.SPACES, shared=True)
    return EmbeddingSpace.objects.filter(_ACTIVE | _BUILDING).in_bulk()


def lock_spaces() -> None:
    """Wait for every transaction that holds the spaces, and keep others off until this one ends."""
    hold(Lock.SPACES)


def ensure_active_space() -> EmbeddingSpace:
    """The active space; on an empty installation, a new one for the embedder that the settings name."""
    return _active() or _create_first_space(rag_settings().embedder)


def _active() -> EmbeddingSpace | None:
    return EmbeddingSpace.objects.filter(status=_Status.ACTIVE).first()


@transaction.atomic
def _create_first_space(embedder_name: str) -> EmbeddingSpace:
    embedder: Embedder = component("embedders", embedder_name)
    lock_spaces()  # two workers that start at once
    if space := _active():
        return space
    _drop_orphaned_indexes()
    space = EmbeddingSpace.objects.create(
        name=f"{embedder_name}-1".replace("_", "-"),
        status=_Status.ACTIVE,
        activated=timezone.now(),
        **space_fields(embedder_name, embedder),
    )
    create_index(space)
    return space


def _drop_orphaned_indexes() -> None:
    """Those of spaces that are gone. `knowledgetree flush` leaves them and counts from 1 again: a new space would be
    given the index of another one's dimension.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            r"""
            SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
            WHERE indrelid = 'ingestion_chunkembedding'::regclass AND starts_with(relname, 'ingestion_embedding_space_')
              AND NOT EXISTS (
                  SELECT FROM ingestion_embeddingspace WHERE id = substring(relname FROM '\d+')::bigint
              )
            """
        )
        for (name,) in cursor.fetchall():
            cursor.execute(f"DROP INDEX {name}")


def space_fields(name: str, embedder: Embedder) -> dict[str, object]:
    """What a space keeps of the embedder that the settings call `name`."""
    return {
        "embedder": name,
        "model": embedder.name,
        "options": dict(embedder.identity),
        "dimension": embedder.dimension,
        "template_version": embedder.template_version,
        "fusion": dict(embedder.fusion),
    }


def create_index(space: EmbeddingSpace, *, concurrently: bool = False) -> None:
    """The space's HNSW indexes, on half-precision: half the memory, no measurable loss of recall.

    `concurrently`: documents can be written meanwhile; not inside a transaction.
    """
    with connection.cursor() as cursor:
        for name, part in index_names(space).items():
            cursor.execute(
                f"CREATE INDEX {'CONCURRENTLY' if concurrently else ''} IF NOT EXISTS {name} "
                "ON ingestion_chunkembedding "
                f"USING hnsw ((embedding::halfvec({int(space.dimension)})) halfvec_cosine_ops) "
                f"WITH (ef_construction = {_EF_CONSTRUCTION}) WHERE space_id = {int(space.pk)} AND {part}"
            )


def index_names(space: EmbeddingSpace) -> dict[str, str]:
    """The condition of each index of the space, by the index's name."""
    name = f"ingestion_embedding_space_{int(space.pk)}"
    return {name: "part = 0", f"{name}_sentences": "part > 0"} if space.sentence_vectors else {name: "part = 0"}
