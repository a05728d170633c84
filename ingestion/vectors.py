"""The vectors of chunks in an embedding space: of the whole chunk and, where the space keeps them, of its sentences."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ingestion.embedding.template import embedded_text
from ingestion.models import EmbeddingSpace
from ingestion.selectors import embedder_of
from ingestion.text.sentences import sentence_spans
from ingestion.types import ChunkDraft

ChunkVectors = NDArray[np.float32]
"""Shape (1 + sentences, dimension): row 0 is the whole chunk, row n its n-th sentence."""


def chunk_vectors(drafts: Sequence[ChunkDraft], *, titles: Sequence[str], space: EmbeddingSpace) -> list[ChunkVectors]:
    """The vectors of each draft, in order; all texts go to the embedder in one call."""
    texts: list[str] = []
    ends = []
    for draft, title in zip(drafts, titles, strict=True):
        texts.append(embedded_text(draft, title=title, version=space.template_version))
        if space.sentence_vectors:
            texts += embedded_sentences(draft.text)
        ends.append(len(texts))
    vectors = embedder_of(space).embed_passages(texts)
    return [vectors[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def embedded_sentences(text: str) -> list[str]:
    """The sentences of a chunk, in order; none where the chunk is a single one and its vector would say the same."""
    spans = sentence_spans(text)
    return [text[start:end] for start, end in spans] if len(spans) > 1 else []
