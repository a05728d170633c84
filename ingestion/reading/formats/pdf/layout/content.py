"""What a page says: lines in reading order, ruled tables, marks in the margin. Its characters are let go."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from ingestion.reading.formats.pdf.layout.columns import in_columns
from ingestion.reading.formats.pdf.layout.lines import (
    Line,
    in_reading_order,
    joined,
    segments_of,
    turned_lines,
    with_drawn_bullets,
)
from ingestion.reading.formats.pdf.layout.page import Character, PageLayout
from ingestion.reading.formats.pdf.layout.tables import Table, split_tables


@dataclass(frozen=True, slots=True, kw_only=True)
class PageContent:
    """`lines` in reading order without those in `tables`; `margins` are the lines that run across the others."""

    lines: tuple[Line, ...] = ()
    margins: tuple[Line, ...] = ()
    tables: tuple[Table, ...] = ()

    @property
    def text(self) -> str:
        """All of it, for those who count words."""
        cells = (cell for table in self.tables for row in table.rows for cell in row if cell)
        return "\n".join(chain((line.text for line in self.lines), cells))

    @property
    def visible(self) -> int:
        """How many characters can be seen."""
        return len("".join(self.text.split()))

    def translated(self, letters: Mapping[int, str]) -> "PageContent":
        """With letters replaced as by `str.translate`."""
        return PageContent(
            lines=tuple(line.translated(letters) for line in self.lines),
            margins=tuple(line.translated(letters) for line in self.margins),
            tables=tuple(table.translated(letters) for table in self.tables),
        )


def content_of(layout: PageLayout) -> PageContent:
    tables, regions = split_tables(layout)
    lines = [line for region in regions for line in _lines(region)]
    margins = turned_lines([character for region in regions for character in region])
    return PageContent(
        lines=tuple(with_drawn_bullets(lines, layout.drawn)), margins=tuple(margins), tables=tuple(tables)
    )


def _lines(region: Sequence[Character]) -> list[Line]:
    lines = [line for group in in_columns(segments_of(region)) for line in in_reading_order(joined(group))]
    return [replace(line, opens=True) if index == 0 else line for index, line in enumerate(lines)]
