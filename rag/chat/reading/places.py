"""Pages and lines of what is cited, as they stand in the document today."""

from bisect import bisect_right
from dataclasses import dataclass

from rag.selectors.cited_place import CitedPassage
from rag.selectors.texts import ShownText


@dataclass(frozen=True, slots=True, kw_only=True)
class CitedPlace:
    """Lines of the text and, where the format has them, pages; both count from 1 and include their ends."""

    line_start: int
    line_end: int
    page_start: int | None = None
    page_end: int | None = None


def cited_place(text: ShownText, cited: CitedPassage) -> CitedPlace | None:
    """None where nothing is cited, or what was cited is lost."""
    if cited.end <= cited.start or cited.start >= len(text.text):
        return None
    first, last = cited.start, min(cited.end, len(text.text)) - 1
    return CitedPlace(
        line_start=_line(text, first),
        line_end=_line(text, last),
        page_start=_page(text, first),
        page_end=_page(text, last),
    )


def _line(text: ShownText, position: int) -> int:
    return text.text.count("\n", 0, position) + 1


def _page(text: ShownText, position: int) -> int | None:
    return max(1, bisect_right(text.page_starts, position)) if text.page_starts else None
