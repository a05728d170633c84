"""A synthetic corpus for `dense_speed.py`: chunks with unit vectors that lie in topics, as those of texts do.

The vectors are made, not embedded: topic + document + chunk, each normal noise whose standard deviation falls as
1/sqrt(i) with the dimension i, as the spectra of sentence embeddings do (about 35 dimensions that count). `uniform`
makes them all noise of one size instead: every two are then at nearly a right angle, which is as hard as it gets for
any nearest neighbour index, and like no text.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from ingestion.index.spaces import create_index
from ingestion.models import Collection, CollectionStatistics, Document, EmbeddingSpace
from rag.types import Filters

DIMENSION = 1024
CHUNKS_A_DOCUMENT = 10
TOPICS = 2_000
OTHER_TOPICS = 0.05  # of the topics are in English: a filter that the questions' own topics mostly fail
Vectors = NDArray[np.float32]

FILTERS = {
    "none": Filters(),
    "category, 50 %": Filters(categories=("half",)),
    "tag, 5 %": Filters(tags=("twentieth",)),
    "language = other topics, 5 %": Filters(languages=("en",)),
    "metadata, 0.5 %": Filters(metadata={"case": {"stage": "appeal"}}),
    "version, 0.05 %": Filters(versions=("draft",)),
    "collection, 0.5 %": Filters(collections=("small",)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """`vectors` (chunks, DIMENSION) and `questions` (n, DIMENSION), unit length; `topics` (documents,)."""

    vectors: Vectors
    questions: Vectors
    topics: NDArray[np.int64]


def make_corpus(chunks: int, questions: int, *, uniform: bool) -> Corpus:
    """The same for the same arguments. A question lies beside a chunk drawn at random (cosine about 0.9)."""
    random = np.random.default_rng(7)
    scale = np.ones(DIMENSION, np.float32) if uniform else np.arange(1, DIMENSION + 1, dtype=np.float32) ** -0.5
    scale /= np.linalg.norm(scale)

    def noise(rows: int) -> Vectors:
        return random.standard_normal((rows, DIMENSION), np.float32) * scale

    topics = random.integers(TOPICS, size=chunks // CHUNKS_A_DOCUMENT)
    vectors = noise(chunks)
    if not uniform:
        documents = noise(TOPICS)[topics] + 0.7 * noise(len(topics))
        vectors = 0.5 * vectors + np.repeat(documents, CHUNKS_A_DOCUMENT, axis=0)
    vectors = unit(vectors)
    near = vectors[random.integers(chunks, size=questions)] + 0.5 * unit(noise(questions))
    return Corpus(vectors=vectors, questions=unit(near), topics=topics)


def unit(rows: Vectors) -> Vectors:
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)


def store(corpus: Corpus) -> EmbeddingSpace:
    """Documents, chunks and vectors in the database, with the space's index."""
    large, small = (Collection.objects.create(name=slug, slug=slug, visibility="public") for slug in ("large", "small"))
    space = EmbeddingSpace.objects.create(
        name="synthetic", embedder="none", model="none", dimension=DIMENSION, status=EmbeddingSpace.Status.ACTIVE
    )
    Document.objects.bulk_create(documents(corpus.topics, large, small), batch_size=2000)
    with connection.cursor() as cursor:
        cursor.execute(_EXTRACTIONS)
        cursor.execute(_CHUNKS, [CHUNKS_A_DOCUMENT - 1])
        cursor.execute("SELECT id FROM ingestion_chunk ORDER BY id")
        chunks = np.array([row[0] for row in cursor.fetchall()], ">i4")
        with cursor.copy(_COPY) as copy:
            copy.write(b"PGCOPY\n\xff\r\n\0" + bytes(8))
            for start in range(0, len(chunks), 5000):
                copy.write(copy_rows(chunks[start : start + 5000], corpus.vectors[start : start + 5000], space.pk))
            copy.write(b"\xff\xff")
        cursor.execute("SET maintenance_work_mem = '2GB'")  # the graph is built in memory
        create_index(space)
        cursor.execute("VACUUM ANALYZE")
    for collection in (large, small):
        searched = corpus_size(collection)
        CollectionStatistics.objects.create(collection=collection, chunks=searched, words=200 * searched)
    return space


def corpus_size(collection: Collection) -> int:
    return CHUNKS_A_DOCUMENT * collection.documents.count()


def documents(topics: NDArray[np.int64], large: Collection, small: Collection) -> Iterator[Document]:
    """Each filter keeps a share of the documents drawn independently of topic and of the other filters."""
    shares = np.random.default_rng(8).permuted(np.tile(np.arange(len(topics)) / len(topics), (5, 1)), axis=1)
    for number, (topic, share) in enumerate(zip(topics, shares.T, strict=True)):
        yield Document(
            collection=small if share[0] < 0.005 else large,
            title=f"Document {number}",
            uri=f"synthetic/{number}",
            media_type="text/plain",
            category="half" if share[1] < 0.5 else "other",
            tags=["all", "twentieth"] if share[2] < 0.05 else ["all"],
            metadata={"case": {"stage": "appeal" if share[3] < 0.005 else "first", "number": number}},
            version="draft" if share[4] < 0.0005 else "1.0",
            language="en" if topic < OTHER_TOPICS * TOPICS else "pl",
            status=Document.Status.READY,
            chunk_count=CHUNKS_A_DOCUMENT,
        )


def copy_rows(chunks: NDArray[np.int32], vectors: Vectors, space: int) -> bytes:
    """Rows of COPY BINARY: the number of fields, then each field with its size in bytes before it; big-endian."""
    row = np.dtype(
        [
            ("fields", ">i2"),
            *[("space_size", ">i4"), ("space", ">i8")],
            *[("chunk_size", ">i4"), ("chunk", ">i4")],
            *[("part_size", ">i4"), ("part", ">i2")],
            *[("vector_size", ">i4"), ("dimension", ">i2"), ("unused", ">i2"), ("vector", ">f4", DIMENSION)],
        ]
    )
    rows = np.zeros(len(chunks), row)
    rows["fields"], rows["space_size"], rows["chunk_size"], rows["part_size"] = 4, 8, 4, 2
    rows["vector_size"], rows["dimension"] = 4 + 4 * DIMENSION, DIMENSION
    rows["space"], rows["chunk"], rows["vector"] = space, chunks, vectors
    return rows.tobytes()


_EXTRACTIONS = """
INSERT INTO ingestion_extraction (document_id, extractor, text, page_starts, created, checksum)
SELECT id, 'none', '', '{}', now(), '' FROM ingestion_document ORDER BY id
"""
# About 1,500 characters a chunk, so that rows lie as far apart as those of real chunks.
_CHUNKS = """
INSERT INTO ingestion_chunk (document_id, extraction_id, collection_id, ordinal, kind, text, start, "end", line_start,
                             line_end, heading_path, context_before, context_after, enabled, retrieval_quality,
                             original_text)
SELECT d.id, x.id, d.collection_id, n, 'text', repeat(md5(d.id::text || '/' || n), 47), 0, 1504, 1, 20, '{}', '', '',
       true, '', ''
FROM ingestion_document d JOIN ingestion_extraction x ON x.document_id = d.id CROSS JOIN generate_series(0, %s) AS n
ORDER BY d.id, n
"""
_COPY = "COPY ingestion_chunkembedding (space_id, chunk_id, part, embedding) FROM STDIN (FORMAT binary)"
