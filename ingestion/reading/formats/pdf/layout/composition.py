"""The pages of a document as one Markdown text."""

from collections.abc import Iterator, Sequence, Set

from ingestion.reading.formats.pdf.layout.alignment import aligned_tables
from ingestion.reading.formats.pdf.layout.content import PageContent
from ingestion.reading.formats.pdf.layout.furniture import without_furniture, without_repeated
from ingestion.reading.formats.pdf.layout.headings import HeadingScale
from ingestion.reading.formats.pdf.layout.hyphens import vocabulary
from ingestion.reading.formats.pdf.layout.lines import Line
from ingestion.reading.formats.pdf.layout.paragraphs import Paragraph, paragraphs_of
from ingestion.reading.formats.pdf.layout.tables import Table
from ingestion.reading.formats.pdf.layout.writer import Composed, PageWriter, Part


def compose(contents: Sequence[PageContent]) -> Composed:
    """The text of all pages in reading order, without running headers, footers and page numbers."""
    upright = without_furniture([content.lines for content in contents])
    margins = without_repeated([content.margins for content in contents])
    pages = [lines + margin for lines, margin in zip(upright, margins, strict=True)]
    known = vocabulary(line.text for page in pages for line in page)
    parts = [list(_parts(page, content.tables, known)) for page, content in zip(pages, contents, strict=True)]
    written = [part for page in parts for part in page]
    scale = HeadingScale(
        [one for one in written if isinstance(one, Paragraph)], [one for one in written if isinstance(one, Table)]
    )
    writer = PageWriter(scale, known)
    for page_parts in parts:
        writer.add_page(page_parts)
    return writer.finish()


def _parts(lines: Sequence[Line], tables: Sequence[Table], known: Set[str]) -> Iterator[Part]:
    """Paragraphs and tables; a table comes before the first line that stands wholly below its top."""
    begin = 0
    for table in sorted(tables, key=lambda one: -one.box.top):
        below = (index for index in range(begin, len(lines)) if lines[index].box.top <= table.box.top + 1)
        end = next(below, len(lines))
        yield from _written(lines[begin:end], known)
        yield table
        begin = end
    yield from _written(lines[begin:], known)


def _written(lines: Sequence[Line], known: Set[str]) -> Iterator[Part]:
    for block in aligned_tables(lines):
        if isinstance(block, Table):
            yield block
        else:
            yield from paragraphs_of(block, known)
