"""The pages of a document as one Markdown text."""

from collections.abc import Iterator, Sequence, Set

from ingestion.extraction.pdf_layout.furniture import without_furniture, without_repeated
from ingestion.extraction.pdf_layout.headings import HeadingScale
from ingestion.extraction.pdf_layout.hyphens import vocabulary
from ingestion.extraction.pdf_layout.lines import (
    Line,
    in_reading_order,
    lines_of,
    turned_lines,
    with_drawn_bullets,
)
from ingestion.extraction.pdf_layout.page import PageLayout
from ingestion.extraction.pdf_layout.paragraphs import Paragraph, paragraphs_of
from ingestion.extraction.pdf_layout.tables import Table, split_tables
from ingestion.extraction.pdf_layout.writer import Composed, PageWriter, Part


def compose(layouts: Sequence[PageLayout]) -> Composed:
    """The text of all pages in reading order, without running headers, footers and page numbers."""
    split = [split_tables(layout) for layout in layouts]
    upright = without_furniture(
        [
            with_drawn_bullets(in_reading_order(lines_of(outside)), layout.drawn)
            for layout, (_, outside) in zip(layouts, split, strict=True)
        ]
    )
    margins = without_repeated([turned_lines(outside) for _, outside in split])
    pages = [lines + margin for lines, margin in zip(upright, margins, strict=True)]
    known = vocabulary(line.text for page in pages for line in page)
    parts = [list(_parts(page, tables, known)) for page, (tables, _) in zip(pages, split, strict=True)]
    writer = PageWriter(HeadingScale(one for page in parts for one in page if isinstance(one, Paragraph)), known)
    for page_parts in parts:
        writer.add_page(page_parts)
    return writer.finish()


def _parts(lines: Sequence[Line], tables: Sequence[Table], known: Set[str]) -> Iterator[Part]:
    """Paragraphs and tables; a table comes before the first line that stands wholly below its top."""
    begin = 0
    for table in sorted(tables, key=lambda one: -one.box.top):
        below = (index for index in range(begin, len(lines)) if lines[index].box.top <= table.box.top + 1)
        end = next(below, len(lines))
        yield from paragraphs_of(lines[begin:end], known)
        yield table
        begin = end
    yield from paragraphs_of(lines[begin:], known)
