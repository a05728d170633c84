"""The vectors of chunks in an embedding space: of the whole chunk and, where the space keeps them, of its sentences."""

from collections.abc import Sequence
from itertools import accumulate, chain

import numpy as np
from numpy.typing import NDArray

from ingestion.embedding.cache import passage_vectors
from ingestion.embedding.template import embedded_text
from ingestion.index.serving import embedder_of
from ingestion.models import Chunk, EmbeddingSpace
from ingestion.text.sentences import sentence_spans
from ingestion.types import ChunkDraft
from knowledgetree.postgres.copying import copy_columns

ChunkVectors = NDArray[np.float32]
"""Shape (1 + sentences, dimension): row 0 is the whole chunk, row n its n-th sentence."""


def chunk_vectors(drafts: Sequence[ChunkDraft], *, titles: Sequence[str], space: EmbeddingSpace) -> list[ChunkVectors]:
    """The vectors of each draft, in order; all texts that are not in the cache go to the embedder in one call."""
    texts = [embedded_texts(draft, title=title, space=space) for draft, title in zip(drafts, titles, strict=True)]
    ends = list(accumulate(map(len, texts)))
    vectors = passage_vectors(embedder_of(space), list(chain.from_iterable(texts)), space=space)
    return [vectors[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def embedded_texts(draft: ChunkDraft, *, title: str, space: EmbeddingSpace) -> list[str]:
    """What the space has vectors of: the chunk in its template, then, where it keeps them, its sentences."""
    whole = embedded_text(draft, title=title, version=space.template_version)
    return [whole, *(embedded_sentences(draft.text) if space.sentence_vectors else [])]


def draft_of(chunk: Chunk) -> ChunkDraft:
    """The chunk as the pipeline had it before it was written."""
    return ChunkDraft(
        text=chunk.text,
        start=chunk.start,
        end=chunk.end,
        line_start=chunk.line_start,
        line_end=chunk.line_end,
        page_start=chunk.page_start,
        page_end=chunk.page_end,
        heading_path=tuple(chunk.heading_path),
        context_before=chunk.context_before,
        context_after=chunk.context_after,
    )


def embedded_sentences(text: str) -> list[str]:
    """The sentences of a chunk, in order; none where the chunk is a single one and its vector would say the same."""
    spans = sentence_spans(text)
    return [text[start:end] for start, end in spans] if len(spans) > 1 else []


def copy_vectors(space_id: int, chunks: Sequence[tuple[int, ChunkVectors]]) -> None:
    """Write the vectors of chunks, with their keys, into a space: none has any there yet."""
    if not chunks:
        return
    vectors = np.concatenate([its for _, its in chunks])
    parts = [len(its) for _, its in chunks]
    copy_columns(
        "ingestion_chunkembedding",
        {
            "space_id": np.full(len(vectors), space_id, "i8"),
            "chunk_id": np.repeat(np.array([chunk for chunk, _ in chunks], "i4"), parts),
            "part": np.concatenate([np.arange(count, dtype="i2") for count in parts]),
            "embedding": sent(vectors),
        },
    )


def sent(vectors: NDArray[np.float32]) -> NDArray[np.void]:
    """Each row as pgvector takes it in binary: the dimension, two bytes that are not used, and single precision."""
    rows = np.zeros(len(vectors), [("head", ">i2", 2), ("values", ">f4", vectors.shape[1])])
    rows["head"][:, 0], rows["values"] = vectors.shape[1], vectors
    return rows.view(f"V{rows.itemsize}")
