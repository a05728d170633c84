"""A small knowledge base with random vectors, and what a search in it must find, worked out without SQL."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import cycle

import numpy as np
from django.utils import timezone
from numpy.typing import NDArray

from ingestion.index.spaces import create_index
from ingestion.models import (
    Chunk,
    ChunkEmbedding,
    Collection,
    CollectionStatistics,
    Document,
    EmbeddingSpace,
    Extraction,
    Source,
)

DIMENSION = 16
CHUNKS = 3
SENTENCES = 2
TODAY = date(2026, 1, 15)


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """`vectors` by (chunk, part); part 0 is the whole chunk."""

    space: EmbeddingSpace
    documents: Sequence[Document]
    chunks: Sequence[Chunk]
    vectors: dict[tuple[int, int], NDArray[np.float32]]

    @property
    def collections(self) -> list[int]:
        return sorted({document.collection_id for document in self.documents})

    def similarity(self, question: NDArray[np.float32], chunk: int, part: int) -> float:
        vector = self.vectors[chunk, part]
        return float(vector @ question / np.linalg.norm(vector) / np.linalg.norm(question))

    def nearest(self, question: NDArray[np.float32], passing: set[int], limit: int) -> list[int]:
        """The chunks of the documents `passing` that are searched at all, nearest first."""
        ready = {d.pk for d in self.documents if d.status == "ready" and d.pk in passing}
        found = [chunk.pk for chunk in self.chunks if chunk.document_id in ready and chunk.enabled]
        return sorted(found, key=lambda chunk: -self.similarity(question, chunk, 0))[:limit]


def question(seed: int = 1) -> NDArray[np.float32]:
    return np.random.default_rng(seed).standard_normal(DIMENSION).astype(np.float32)


def make_library(collections: Sequence[Collection], *, documents: int, sentences: bool = False) -> Library:
    space = EmbeddingSpace.objects.create(
        name="losowa", embedder="none", model="none", dimension=DIMENSION, sentence_vectors=sentences
    )
    create_index(space)
    sources = [Source.objects.create(collection=c, name="Poczta", location=c.slug) for c in collections]
    rows = Document.objects.bulk_create(
        _document(n, collection, source)
        for n, (collection, source) in zip(
            range(documents), cycle(zip(collections, sources, strict=True)), strict=False
        )
    )
    for n, row in enumerate(rows):
        row.modified = _changed(n)
    Document.objects.bulk_update(rows, ["modified"])
    texts = Extraction.objects.bulk_create(Extraction(document=row, extractor="none", text="") for row in rows)
    chunks = Chunk.objects.bulk_create(
        Chunk(
            document=row, extraction=text, collection_id=row.collection_id, ordinal=n, text=f"Zdanie {n} {row.title}.",
            start=0, end=10, line_start=1, line_end=1, enabled=(row.pk + n) % 11 > 0,
        )
        for row, text in zip(rows, texts, strict=True)
        for n in range(CHUNKS)
    )  # fmt: skip
    for collection in collections:
        own = sum(chunk.collection_id == collection.pk for chunk in chunks)
        CollectionStatistics.objects.create(collection=collection, chunks=own, words=own * 10)
    return Library(space=space, documents=rows, chunks=chunks, vectors=_vectors(space, chunks))


def _vectors(space: EmbeddingSpace, chunks: Sequence[Chunk]) -> dict[tuple[int, int], NDArray[np.float32]]:
    parts = [(chunk.pk, part) for chunk in chunks for part in range(1 + SENTENCES * space.sentence_vectors)]
    random = np.random.default_rng(0).standard_normal((len(parts), DIMENSION)).astype(np.float32)
    ChunkEmbedding.objects.bulk_create(
        ChunkEmbedding(space=space, chunk_id=chunk, part=part, embedding=vector)
        for (chunk, part), vector in zip(parts, random, strict=True)
    )
    return dict(zip(parts, random, strict=True))


def _document(n: int, collection: Collection, source: Source) -> Document:
    return Document(
        collection=collection,
        source=source if n % 3 else None,
        title=f"Dokument {n}",
        uri=str(n),
        media_type=("text/html", "application/pdf", "text/plain")[n % 3],
        language=("pl", "pl", "en")[n % 3],
        category=("umowa", "regulamin", "")[n % 3],
        tags=["kadry", "urlop"] if n % 4 == 0 else ["kadry"] if n % 4 == 1 else [],
        version=("1", "2", "2b")[n % 3],
        valid_from=TODAY + timedelta(days=5 * (n % 7) - 20) if n % 5 else None,
        valid_to=TODAY + timedelta(days=5 * (n % 7)) if n % 5 > 1 else None,
        metadata={"sprawa": {"etap": n % 4, "osoby": [f"o{n % 3}", "wszyscy"]}, "pilne": n % 2 == 0},
        status="archived" if n % 13 == 12 else "ready",
        chunk_count=CHUNKS,
    )


def _changed(n: int) -> datetime:
    """One a day; 23:30 UTC is the next day in Warsaw."""
    return datetime(2026, 1, 1, 23, 30, tzinfo=UTC) + timedelta(days=n % 30)


def changed_on(n: int) -> date:
    return timezone.localdate(_changed(n))
