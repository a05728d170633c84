"""Filling a space: the next chunks without a vector, batch by batch; stopped or killed at any point, it goes on there.

Nothing is locked while the embedder works. The write then takes only the chunks that still are what was embedded:
one that was edited, switched off, replaced or deleted meanwhile, or that somebody changes right now, is left for later.
"""

from collections.abc import Sequence

from django.db import connection, transaction
from django.db.models import QuerySet

from ingestion.embedding.literal import vector_literal
from ingestion.index.spaces import hold_spaces
from ingestion.index.vectors import ChunkVectors, chunk_vectors, draft_of
from ingestion.models import Chunk, EmbeddingSpace
from ingestion.renewal.batches import work_in_batches
from ingestion.renewal.reembedding.missing_vectors import Progress, missing_chunks, progress
from ingestion.types import ChunkDraft
from ingestion.types import Progress as Report
from knowledgetree.conf import ReembeddingSettings

Source = tuple[ChunkDraft, str]
"""A chunk as it is embedded, and its document's title."""


def fill(space: EmbeddingSpace, settings: ReembeddingSettings, report: Report, *, seconds: float) -> bool:
    """Fill for about `seconds`; whether the space was found full. `report` gets (done, total) chunks."""
    counted = progress(space)

    def fill_and_report(keys: Sequence[int]) -> bool:
        nonlocal counted
        written = fill_batch(space, keys)
        counted = Progress(done=counted.done + written, total=max(counted.total, counted.done + written))
        report(counted.done, counted.total)
        return bool(written)

    return work_in_batches(
        lambda position: missing_chunks(space, after=position, limit=settings.batch),
        fill_and_report,
        key=int,
        wished=lambda: wants_vectors(space),
        settings=settings,
        seconds=seconds,
    )


def fill_batch(space: EmbeddingSpace, keys: Sequence[int]) -> int:
    """Embed the chunks and write their vectors; how many were written."""
    sources = _sources(Chunk.objects.filter(pk__in=keys, enabled=True))
    if not sources:
        return 0
    drafts, titles = zip(*sources.values(), strict=True)
    vectors = dict(zip(sources, chunk_vectors(drafts, titles=titles, space=space), strict=True))
    with transaction.atomic():
        if space.pk not in hold_spaces():
            return 0
        # Writers lock the document or the chunk. Skipping what they hold, this never waits for them nor they for long.
        held = Chunk.objects.select_for_update(of=("self", "document"), skip_locked=True, no_key=True)
        now = _sources(held.filter(pk__in=keys, enabled=True))
        unchanged = [key for key, source in sources.items() if now.get(key) == source]
        _insert(space, {key: vectors[key] for key in sorted(unchanged)})
    return len(unchanged)


def wants_vectors(space: EmbeddingSpace) -> bool:
    living = (EmbeddingSpace.Status.BUILDING, EmbeddingSpace.Status.ACTIVE)
    return EmbeddingSpace.objects.filter(pk=space.pk, paused=False, status__in=living).exists()


def _sources(chunks: QuerySet[Chunk]) -> dict[int, Source]:
    return {
        chunk.pk: (draft_of(chunk), chunk.document.title) for chunk in chunks.select_related("document").order_by("pk")
    }


def _insert(space: EmbeddingSpace, vectors: dict[int, ChunkVectors]) -> None:
    """Another process may have been quicker with the same vectors; the first ones stay."""
    rows = [
        (space.pk, key, part, vector_literal(vector))
        for key, parts in vectors.items()
        for part, vector in enumerate(parts)
    ]
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO ingestion_chunkembedding (space_id, chunk_id, part, embedding) VALUES (%s, %s, %s, %s) "
            "ON CONFLICT DO NOTHING",
            rows,
        )
