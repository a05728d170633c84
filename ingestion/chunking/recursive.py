"""Splits at the coarsest boundary that keeps chunks full: paragraph, line, sentence, word."""

import re

from ingestion.text.sentences import sentence_spans
from ingestion.text.token_size import CHARACTERS_PER_TOKEN
from ingestion.types import ExtractedText, Span

_VISIBLE = re.compile(r"\S")
_WORD_START = re.compile(r"(?<=\s)\S")
_LAST_SPACE = re.compile(r"(?s:.*)\s")


class RecursiveChunker:
    """Chunks of at most `chunk_size` estimated tokens that share up to `overlap` tokens with the one before.

    The overlap starts at a sentence where one begins in time, otherwise at a word. Raises ValueError unless
    0 <= overlap < chunk_size.
    """

    def __init__(self, chunk_size: int = 512, overlap: int = 50) -> None:
        if not 0 <= overlap < chunk_size:
            raise ValueError(f"overlap must be from 0 to chunk_size - 1, not {overlap} of {chunk_size}")
        self._size = chunk_size * CHARACTERS_PER_TOKEN
        self._overlap = overlap * CHARACTERS_PER_TOKEN

    def split(self, extracted: ExtractedText) -> list[Span]:
        text = extracted.text
        return [Span(start=start, end=end) for start, end in self.ranges(text, 0, len(text))]

    def ranges(self, text: str, start: int, end: int) -> list[tuple[int, int]]:
        """The pieces of text[start:end] as offsets into `text`, none blank, without space at the ends."""
        pieces: list[tuple[int, int]] = []
        covered = start
        while (visible := _VISIBLE.search(text, start, end)) is not None:
            start = visible.start()
            stop = end if end - start <= self._size else self._boundary(text, start, max(covered, start))
            pieces.append((start, start + len(text[start:stop].rstrip())))
            following = _VISIBLE.search(text, stop, end)
            if following is None:
                break
            covered = following.start()  # the next chunk must reach past it, not only past the space before it
            start = self._next_start(text, start, stop)
            if covered - start >= self._size:
                start = covered
        return pieces

    def _boundary(self, text: str, start: int, covered: int) -> int:
        """Where the chunk from `start` ends: past `covered`, half full unless only words can part."""
        limit = start + self._size
        floor = max(covered + 1, start + self._size // 2)
        for separator in ("\n\n", "\n"):
            found = text.rfind(separator, floor, limit)
            if found >= 0:
                return found + 1
        return self._sentence_end(text, start, floor, limit) or self._word_end(text, covered, limit)

    def _sentence_end(self, text: str, start: int, floor: int, limit: int) -> int | None:
        # The last sentence of the window is cut off by its end, so its end proves nothing.
        ends = [start + end for _, end in sentence_spans(text[start:limit])[:-1]]
        return next((end for end in reversed(ends) if end >= floor), None)

    def _word_end(self, text: str, covered: int, limit: int) -> int:
        space = _LAST_SPACE.match(text, covered + 1, limit)
        return space.end() if space else limit

    def _next_start(self, text: str, start: int, stop: int) -> int:
        begin = max(start + 1, stop - self._overlap)
        if begin >= stop:
            return stop
        sentences = sentence_spans(text[begin:stop])
        if len(sentences) > 1:  # the first of them is the rest of a sentence
            return begin + sentences[1][0]
        word = _WORD_START.search(text, begin, stop)
        return word.start() if word else stop
