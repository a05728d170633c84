"""Splits where the topic changes: sentences whose neighbours mean something else begin a chunk."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ingestion.chunking.recursive import RecursiveChunker
from ingestion.embedding.protocol import Embedder
from ingestion.text.sentences import sentence_spans
from ingestion.text.token_size import CHARACTERS_PER_TOKEN
from ingestion.types import ExtractedText, Span
from knowledgetree.components import component

Range = tuple[int, int]


class SemanticChunker:
    """Chunks of whole sentences, at most `chunk_size` estimated tokens.

    A sentence is embedded with `window` sentences on either side (Kamradt 2023); a chunk ends where the similarity of
    two neighbours is among the lowest `percentile` per cent of the text, once it has `min_size` tokens. A topic that
    does not fit is divided at its weakest joint past half of it. A chunk repeats up to `overlap_sentences` sentences of
    the one before, together at most `overlap` tokens. A sentence that does not fit is split by `RecursiveChunker`.

    `embedder`: one declared in `settings.RAG`, or the object itself. Raises ValueError unless 0 <= overlap < chunk_size
    and 0 < percentile < 100 and min_size <= chunk_size.
    """

    def __init__(
        self,
        chunk_size: int = 512,
        overlap: int = 50,
        *,
        embedder: str | Embedder = "hashing",
        percentile: float = 10.0,
        min_size: int | None = None,
        window: int = 1,
        overlap_sentences: int = 1,
    ) -> None:
        least = chunk_size // 4 if min_size is None else min_size
        if not 0 < percentile < 100 or least > chunk_size:
            raise ValueError(f"percentile must be within 0 and 100, min_size up to chunk_size: {percentile}, {least}")
        self._recursive = RecursiveChunker(chunk_size, overlap)
        self._size = chunk_size * CHARACTERS_PER_TOKEN
        self._overlap = overlap * CHARACTERS_PER_TOKEN
        self._min_size = least * CHARACTERS_PER_TOKEN
        self._embedder = embedder
        self._percentile = percentile
        self._window = window
        self._overlap_sentences = overlap_sentences

    def split(self, extracted: ExtractedText) -> list[Span]:
        text = extracted.text
        start, end = len(text) - len(text.lstrip()), len(text.rstrip())
        if end - start <= self._size:
            return [Span(start=start, end=end)] if end > start else []
        sentences = [
            piece for first, last in sentence_spans(text) for piece in self._recursive.ranges(text, first, last)
        ]
        groups = list(self._groups(sentences, self._similarities(text, sentences)))
        return [Span(start=first, end=last) for first, last in self._overlapped(sentences, groups)]

    def _similarities(self, text: str, sentences: Sequence[Range]) -> NDArray[np.float32]:
        """Cosine of each sentence and the next one, shape (sentences - 1,)."""
        embedder: Embedder = (
            component("embedders", self._embedder) if isinstance(self._embedder, str) else self._embedder
        )
        last = len(sentences) - 1
        windows = [
            text[sentences[max(0, index - self._window)][0] : sentences[min(last, index + self._window)][1]]
            for index in range(len(sentences))
        ]
        vectors = embedder.embed_passages(windows)
        similarities: NDArray[np.float32] = np.einsum("ij,ij->i", vectors[:-1], vectors[1:])
        return similarities

    def _groups(self, sentences: Sequence[Range], similarities: NDArray[np.float32]) -> Iterator[tuple[int, int]]:
        """The first and the last sentence of each chunk."""
        threshold = float(np.percentile(similarities, self._percentile)) if len(similarities) else 0.0
        ends = [end for _, end in sentences]
        first = 0
        while first < len(sentences):
            begin = sentences[first][0]
            fitting = max(first, bisect_right(ends, begin + self._size) - 1)  # the last sentence that fits
            enough = bisect_right(ends, begin + self._min_size - 1)
            breaks = (index for index in range(max(first, enough), fitting) if similarities[index] < threshold)
            last = next(breaks, fitting)
            if last == fitting and fitting < len(sentences) - 1:
                half = max(first, enough, bisect_right(ends, begin + self._size // 2))
                last = half + int(np.argmin(similarities[half : fitting + 1])) if half <= fitting else fitting
            yield first, last
            first = last + 1

    def _overlapped(self, sentences: Sequence[Range], groups: Sequence[tuple[int, int]]) -> Iterator[Range]:
        """The groups as ranges, each but the first begun some sentences earlier where size and overlap allow it."""
        for index, (first, last) in enumerate(groups):
            start, end = sentences[first][0], sentences[last][1]
            floor = groups[index - 1][0] + 1 if index else first
            for earlier in range(first - 1, max(floor, first - self._overlap_sentences) - 1, -1):
                begin = sentences[earlier][0]
                if sentences[first - 1][1] - begin > self._overlap or end - begin > self._size:
                    break
                start = begin
            yield start, end
