"""Splits Markdown along its structure: headings stay with their content, tables and code stay whole."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ingestion.chunking.recursive import RecursiveChunker
from ingestion.chunking.rows import line_ranges, table_header
from ingestion.chunking.sections import Section, join_lonely, merge_small, sections
from ingestion.text.markdown.blocks import Block, BlockReader
from ingestion.text.token_size import CHARACTERS_PER_TOKEN
from ingestion.types import ChunkKind, ExtractedText, Span

MERGED_SHARE = 0.6
"""Small sections are joined up to this share of `chunk_size`."""

LONELY_SHARE = 1 / 10
"""A body smaller than this share of `chunk_size` does not make a chunk of its own above its first subsection.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkdownUnit:
    """Characters [start, end) that stay together when they fit into one chunk."""

    start: int
    end: int
    kind: ChunkKind


class MarkdownChunker:
    """Chunks of at most `chunk_size` estimated tokens, each with its heading path.

    A table or a fence that fits is never cut; a larger one is cut between lines, and the names of its columns end
    the heading path of the rows that stand without their header. Text that does not fit is split by
    `RecursiveChunker`, the only place where chunks overlap. Raises ValueError unless 0 <= overlap
    < chunk_size.
    """

    def __init__(self, chunk_size: int = 512, overlap: int = 50) -> None:
        self._size = chunk_size * CHARACTERS_PER_TOKEN
        self._recursive = RecursiveChunker(chunk_size, overlap)
        self._reader = BlockReader()

    def split(self, extracted: ExtractedText) -> list[Span]:
        found = sections(self._reader.read(extracted.text))
        found = join_lonely(found, min_body=int(self._size * LONELY_SHARE))
        found = merge_small(found, max_length=int(self._size * MERGED_SHARE))
        return [span for section in found for span in self._spans(extracted.text, section)]

    def _spans(self, text: str, section: Section) -> Iterator[Span]:
        if section.end - section.start <= self._size:
            yield Span(
                start=section.start,
                end=section.end,
                heading_path=section.path,
                kind=_prevailing_kind(section.blocks),
            )
            return
        for unit in self._packed(units_of(section.blocks)):
            header, rows = table_header(text, unit.start, unit.end) if unit.kind == "table" else ("", unit.end)
            for start, end in self._pieces(text, unit):
                path = (*section.path, header) if header and start >= rows else section.path
                yield Span(start=start, end=end, heading_path=path, kind=unit.kind)

    def _packed(self, units: Sequence[MarkdownUnit]) -> Iterator[MarkdownUnit]:
        """Neighbouring units as one, as long as they fit; the larger one names the kind."""
        current = units[0]
        for unit in units[1:]:
            if unit.end - current.start <= self._size:
                larger = max(current, unit, key=lambda one: one.end - one.start)
                current = replace(current, end=unit.end, kind=larger.kind)
            else:
                yield current
                current = unit
        yield current

    def _pieces(self, text: str, unit: MarkdownUnit) -> Iterator[tuple[int, int]]:
        if unit.end - unit.start <= self._size:
            yield unit.start, unit.end
        elif unit.kind in ("table", "code"):
            yield from line_ranges(text, unit.start, unit.end, size=self._size, recursive=self._recursive)
        else:
            yield from self._recursive.ranges(text, unit.start, unit.end)


def _prevailing_kind(blocks: Sequence[Block]) -> ChunkKind:
    """The kind of most of the characters below the headings."""
    lengths: Counter[ChunkKind] = Counter()
    for block in blocks:
        if block.kind != "heading":
            lengths[block.kind] += block.end - block.start
    return lengths.most_common(1)[0][0] if lengths else "text"


def units_of(blocks: Sequence[Block]) -> list[MarkdownUnit]:
    """Tables and fences each for itself, with the headings right above; runs of everything else together."""
    return [MarkdownUnit(start=run[0].start, end=run[-1].end, kind=_prevailing_kind(run)) for run in _runs(blocks)]


def _runs(blocks: Sequence[Block]) -> Iterator[list[Block]]:
    run: list[Block] = []
    body_end = 0  # behind the last block of the run that is no heading
    for block in blocks:
        if body_end and (_is_solid(block) or _is_solid(run[body_end - 1])):
            yield run[:body_end]
            run, body_end = run[body_end:], 0
        run.append(block)
        if block.kind != "heading":
            body_end = len(run)
    yield run


def _is_solid(block: Block) -> bool:
    return block.kind in ("table", "code")
