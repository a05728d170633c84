"""Embedding spaces: which one serves, and the partial index each has."""

from django.db import connection, transaction
from django.utils import timezone

from ingestion.models import EmbeddingSpace
from ingestion.protocols import Embedder
from ingestion.selectors import active_space
from knowledgetree.components import component
from knowledgetree.conf import rag_settings


def living_spaces() -> list[EmbeddingSpace]:
    """The spaces that every new chunk gets a vector in: the active one and those being built."""
    ensure_active_space()
    return list(EmbeddingSpace.objects.exclude(status=EmbeddingSpace.Status.RETIRED).order_by("pk"))


def ensure_active_space() -> EmbeddingSpace:
    """The active space; on an empty installation, a new one for the embedder that the settings name."""
    return active_space() or _first_space(rag_settings().embedder)


@transaction.atomic
def _first_space(embedder_name: str) -> EmbeddingSpace:
    embedder: Embedder = component("embedders", embedder_name)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(7202, 0)")  # two workers that start at once
    if space := active_space():
        return space
    space = EmbeddingSpace.objects.create(
        name=f"{embedder_name}-1".replace("_", "-"),
        embedder=embedder_name,
        model=embedder.name,
        options=dict(embedder.identity),
        dimension=embedder.dimension,
        template_version=embedder.template_version,
        fusion=dict(embedder.fusion),
        status=EmbeddingSpace.Status.ACTIVE,
        activated=timezone.now(),
    )
    create_index(space)
    return space


def create_index(space: EmbeddingSpace) -> None:
    """The space's HNSW indexes, on half-precision: half the memory, no measurable loss of recall."""
    parts = {"": "part = 0", "_sentences": "part > 0"} if space.sentence_vectors else {"": "part = 0"}
    with connection.cursor() as cursor:
        for suffix, part in parts.items():
            cursor.execute(
                f"CREATE INDEX IF NOT EXISTS ingestion_embedding_space_{int(space.pk)}{suffix} "
                "ON ingestion_chunkembedding "
                f"USING hnsw ((embedding::halfvec({int(space.dimension)})) halfvec_cosine_ops) "
                f"WHERE space_id = {int(space.pk)} AND {part}"
            )
