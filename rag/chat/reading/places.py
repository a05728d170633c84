"""Pages and lines of what is cited, as they stand in the document today."""

from bisect import bisect_right
from dataclasses import dataclass

from ingestion.models import Extraction
from rag.chat.reading.cited_place import CitedPassage


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedPlace:
    """Lines of the text and, where the format has them, pages; both count from 1 and include their ends."""

    line_start: int
    line_end: int
    page_start: int | None = None
    page_end: int | None = None


def cited_place(extraction: Extraction, cited: CitedPassage) -> CitedPlace | None:
    """None where nothing is cited, or what was cited is lost."""
    if cited.end <= cited.start or cited.start >= len(extraction.text):
        return None
    first, last = cited.start, min(cited.end, len(extraction.text)) - 1
    return CitedPlace(
        line_start=_line(extraction, first),
        line_end=_line(extraction, last),
        page_start=_page(extraction, first),
        page_end=_page(extraction, last),
    )


def _line(extraction: Extraction, position: int) -> int:
    return extraction.text.count("\n", 0, position) + 1


def _page(extraction: Extraction, position: int) -> int | None:
    return max(1, bisect_right(extraction.page_starts, position)) if extraction.page_starts else None
