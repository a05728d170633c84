"""Which paragraphs are headings, and of which level."""

from collections import Counter
from collections.abc import Iterable

from ingestion.reading.formats.pdf.layout.paragraphs import Paragraph
from ingestion.reading.formats.pdf.layout.tables import Table

MAX_LENGTH = 160
"""Characters; a longer paragraph in large print is a motto or a notice, not a heading."""

MAX_LINES = 3
_LARGER = 1.12
_LEVELS = 3


class HeadingScale:
    """Levels by size of print in one document, the largest first; bold lines of body size come last."""

    def __init__(self, paragraphs: Iterable[Paragraph], tables: Iterable[Table] = ()) -> None:
        letters: Counter[float] = Counter()
        bold: Counter[bool] = Counter()
        found = list(paragraphs)
        for table in tables:
            letters[_rounded(table.size)] += sum(len(cell) for row in table.rows for cell in row)
        for paragraph in found:
            letters[_size(paragraph)] += len(paragraph.text)
            bold[paragraph.bold] += len(paragraph.text)
        self._body = letters.most_common(1)[0][0] if letters else 0.0
        self._bold_stands_out = bold[True] < 0.3 * bold.total()
        self._sizes = sorted({_size(one) for one in found if self._is_large(one)}, reverse=True)

    def level(self, paragraph: Paragraph) -> int:
        """1 to 4, or 0 for body text."""
        if self._is_large(paragraph):
            return min(self._sizes.index(_size(paragraph)) + 1, _LEVELS)
        if self._bold_stands_out and paragraph.bold and _looks_like_heading(paragraph):
            return min(len(self._sizes), _LEVELS) + 1
        return 0

    def _is_large(self, paragraph: Paragraph) -> bool:
        return _size(paragraph) >= _LARGER * self._body and _looks_like_heading(paragraph)


def _size(paragraph: Paragraph) -> float:
    return _rounded(paragraph.size)


def _rounded(size: float) -> float:
    return round(2 * size) / 2


def _looks_like_heading(paragraph: Paragraph) -> bool:
    text = paragraph.text
    return (
        paragraph.lines <= MAX_LINES
        and len(text) <= MAX_LENGTH
        and "\n" not in text
        and sum(letter.isalpha() for letter in text) >= 3
        and not text[0].islower()
        and not text.startswith("- ")
        and not text.endswith((",", ";", ":", "…"))
    )
