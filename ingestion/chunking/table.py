"""Splits texts that are mostly tables: rows never share a chunk with prose, and each knows its header."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ingestion.chunking.markdown import MarkdownUnit, units_of
from ingestion.chunking.recursive import RecursiveChunker
from ingestion.chunking.rows import line_ranges, table_header
from ingestion.chunking.sections import Section, join_lonely, sections
from ingestion.text.markdown.blocks import MAX_TITLE, BlockReader
from ingestion.text.token_size import CHARACTERS_PER_TOKEN
from ingestion.types import ExtractedText, Span


class TableChunker:
    """Chunks of at most `chunk_size` estimated tokens: whole rows of one table, or the text between two.

    The first chunk of a table begins with the heading and the caption right above it. The header cannot be in the text
    of the others, which is an exact range, so it ends their heading path ("Budżet", "Rok | Kwota"). Raises ValueError
    unless 0 <= overlap < chunk_size.
    """

    def __init__(self, chunk_size: int = 512, overlap: int = 50) -> None:
        self._size = chunk_size * CHARACTERS_PER_TOKEN
        self._recursive = RecursiveChunker(chunk_size, overlap)
        self._reader = BlockReader()

    def split(self, extracted: ExtractedText) -> list[Span]:
        found = join_lonely(sections(self._reader.read(extracted.text)), min_body=1)
        return [span for section in found for span in self._spans(extracted.text, section)]

    def _spans(self, text: str, section: Section) -> Iterator[Span]:
        for unit in _captioned(units_of(section.blocks)):
            if unit.kind == "table":
                yield from self._rows(text, unit, section.path)
            else:
                for start, end in self._recursive.ranges(text, unit.start, unit.end):
                    yield Span(start=start, end=end, heading_path=section.path, kind=unit.kind)

    def _rows(self, text: str, unit: MarkdownUnit, path: tuple[str, ...]) -> Iterator[Span]:
        header, rows = table_header(text, unit.start, unit.end)
        for start, end in line_ranges(text, unit.start, unit.end, size=self._size, recursive=self._recursive):
            inner = (*path, header) if header and start >= rows else path
            yield Span(start=start, end=end, heading_path=inner, kind="table")


def _captioned(units: Sequence[MarkdownUnit]) -> Iterator[MarkdownUnit]:
    """A line or two right above a table as part of it."""
    caption: MarkdownUnit | None = None
    for unit in units:
        if caption is not None and unit.kind == "table":
            unit, caption = replace(unit, start=caption.start), None
        if caption is not None:
            yield caption
        caption = unit if unit.kind == "text" and unit.end - unit.start <= MAX_TITLE else None
        if caption is None:
            yield unit
    if caption is not None:
        yield caption
