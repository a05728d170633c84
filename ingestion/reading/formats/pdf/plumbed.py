"""PDF as pdfplumber sees it: a second pair of eyes for layouts that the first extractor reads amiss."""

import io
import logging
from typing import Any

from ingestion.reading.failures import reading
from ingestion.reading.pages import joined_pages
from ingestion.reading.pipe_tables import pipe_table
from ingestion.types import ExtractedText, Progress

_LONGEST_TABLE = 200  # rows; pdfplumber finds "tables" in drawings too


class PlumbedPdfExtractor:
    """Lines in the order of their height on the page, ruled tables as rows. No recognition, headings or columns.

    Raises CorruptDocument, EmptyDocument; pdfplumber must be installed (the extra `dual`).
    """

    def __init__(self) -> None:
        import pdfplumber

        self._pdfplumber = pdfplumber
        logging.getLogger("pdfminer").setLevel(logging.ERROR)  # it warns of every font

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        texts = []
        with reading("PDF"):
            document = self._pdfplumber.open(io.BytesIO(content))
        with document:
            total = len(document.pages)
            for number, page in enumerate(document.pages, start=1):
                with reading("PDF"):
                    texts.append(_text(page))
                    page.close()  # its objects are kept otherwise, and a long file fills the memory
                progress(number, total)
        text, pages = joined_pages(texts)
        return ExtractedText(text=text, extractor="pdfplumber", pages=pages)


def _text(page: Any) -> str:
    """The page's tables in their places between the lines."""
    tables = [table for table in page.find_tables() if 1 < len(table.rows) <= _LONGEST_TABLE]
    blocks: list[tuple[float, str]] = []
    top = 0.0
    for table in sorted(tables, key=lambda table: float(table.bbox[1])):
        if table.bbox[1] < top:  # inside the one before
            continue
        blocks.append((top, _lines(page, top, float(table.bbox[1]))))
        rows = [[cell or "" for cell in row] for row in table.extract()]
        blocks.append((float(table.bbox[1]), pipe_table(rows)))
        top = float(table.bbox[3])
    blocks.append((top, _lines(page, top, float(page.height))))
    return "\n\n".join(block for _, block in blocks if block.strip())


def _lines(page: Any, top: float, bottom: float) -> str:
    """What stands between two heights of the page; a word belongs where its middle is."""

    def between(thing: dict[str, Any]) -> bool:
        return "top" not in thing or top <= (thing["top"] + thing["bottom"]) / 2 < bottom

    return str(page.filter(between).extract_text(x_tolerance=2) or "")
