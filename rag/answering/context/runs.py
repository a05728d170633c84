"""The text around a found chunk that may be read with it, and passages cut out of it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rag.answering.context.layout import Layout, Span
from rag.answering.context.nesting import JSON, Nesting
from rag.search.surroundings import Neighbour, Surroundings, load_surroundings
from rag.types import Passage

REACH = 16
"""Chunks on either side in which the edges of a section are looked for."""
_COLUMNS = " | "  # chunks of rows name their columns as the last of their headings


@dataclass(frozen=True)
class Run:
    """Characters [start, start + len(text)) of a document, with the chunks that they are; all spans count from the
    start of the document. Each of the chunks is searched, says what the document says, and follows the one before.
    `media_type` is the document's.
    """

    start: int
    text: str
    chunks: Sequence[Neighbour]
    media_type: str

    @cached_property
    def layout(self) -> Layout | Nesting:
        return Nesting(self.text) if self.media_type == JSON else Layout(self.text)

    def spans(self, start: int, end: int) -> list[Span]:
        """What may be read for characters [start, end), the shortest first (see `Layout.spans`)."""
        local = self.layout.spans(start - self.start, end - self.start)
        return [(self.start + one, self.start + other) for one, other in local]

    def holds(self, span: Span) -> bool:
        return self.start <= span[0] and span[1] <= self.start + len(self.text)

    def cut(self, passage: Passage, span: Span) -> Passage:
        """`passage` with the text of `span`, under the headings of the document, in its lines and pages.

        `context_before` is the header of a table whose rows alone are read, or the line that opens a block of code;
        `context_after` what closes it.
        """
        start, end = span[0] - self.start, span[1] - self.start
        chunks = [chunk for chunk in self.chunks if chunk.place.start < span[1] and span[0] < chunk.place.end]
        first, last = chunks[0], chunks[-1]
        line = first.line_start + self._newlines(first.place.start, span[0])
        return replace(
            passage,
            text=self.text[start:end],
            start=span[0],
            end=span[1],
            line_start=line,
            line_end=line + self._newlines(span[0], span[1] - 1),
            page_start=first.place.page_start,
            page_end=last.place.page_end,
            heading_path=self.layout.headings(start) or _headings_of(first),
            context_before=self.layout.columns(start) or self.layout.fence(start),
            context_after="```" if self.layout.fence(end) else "",
            places=tuple(chunk.place for chunk in chunks),
        )

    def _newlines(self, start: int, end: int) -> int:
        return self.text.count("\n", start - self.start, max(start, end) - self.start)


def runs_around(passages: Sequence[Passage]) -> dict[int, Run]:
    """By the chunk of a passage; one is missing whose text is not the document's. One query."""
    types = {passage.chunk_id: passage.media_type for passage in passages if passage.chunk_id}
    around = load_surroundings(list(types), reach=REACH)
    return {
        chunk: _run(found, types[chunk]) for chunk, found in around.items() if found.is_true(found.chunks[found.found])
    }


def _run(around: Surroundings, media_type: str) -> Run:
    first = last = around.found
    while first and _follows(around, first - 1, first):
        first -= 1
    while last + 1 < len(around.chunks) and _follows(around, last, last + 1):
        last += 1
    chunks = around.chunks[first : last + 1]
    start, end = chunks[0].place.start, max(chunk.place.end for chunk in chunks)
    return Run(start=start, text=around.between(start, end), chunks=chunks, media_type=media_type)


def _follows(around: Surroundings, one: int, other: int) -> bool:
    pair = around.chunks[one], around.chunks[other]
    return all(map(around.is_true, pair)) and around.is_whole(pair)


def _headings_of(chunk: Neighbour) -> tuple[str, ...]:
    """Those of a text that writes none, such as an act of law; without the names of columns."""
    return tuple(heading for heading in chunk.place.heading_path if _COLUMNS not in heading)
