"""CSV: whatever delimiter and encoding, as one pipe table."""

import csv
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from io import StringIO
from itertools import islice

from django.utils.translation import gettext as _

from ingestion.errors import DocumentTooLarge
from ingestion.reading.encoding import decode
from ingestion.reading.failures import reading, require_text
from ingestion.reading.formats.xlsx.sheets import MAX_TABLE
from ingestion.reading.pipe_tables import pipe_table
from ingestion.types import ExtractedText, Progress

_DELIMITERS = ";,\t|"  # a tie goes to the first: Polish programs write semicolons, for the comma is decimal
_DECLARED = re.compile(r"sep=(.)\n", re.I)  # the line that Excel itself understands
_SAMPLE = 200
_VALUE = re.compile(r"[-+]?[\d\s.,:/-]+\s*(?:%|zł|€|[a-z]{1,3})?", re.I)
_HEAD = 100_000
"""Characters that are looked at; fewer than the 131,072 at which Python's reader takes a quote for never closed."""


class CsvExtractor:
    """Rows as a pipe table whose header is the first row; data without a header get an empty one.

    Raises EmptyDocument, DocumentTooLarge.
    """

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        text = require_text(decode(content))
        with reading("CSV"):
            table = require_text(csv_markdown(csv_rows(text)))
        progress(1, 1)
        return ExtractedText(text=table, extractor="csv")


def csv_rows(text: str) -> list[list[str]]:
    """The rows with any text in them, cells stripped."""
    declared = _DECLARED.match(text)
    body = text[declared.end() :] if declared else text
    delimiter = declared[1] if declared else _delimiter(body)
    return _read(body, delimiter)


def csv_markdown(rows: Sequence[Sequence[str]]) -> str:
    """Lines above the table (a caption of one cell) as paragraphs, then the table."""
    width = Counter(len(row) for row in rows[:_SAMPLE]).most_common(1)[0][0] if rows else 0
    caption = 0
    while width > 1 and caption < min(len(rows), 10) and sum(map(bool, rows[caption])) == 1:
        caption += 1
    table = rows[caption:]
    has_header = width < 2 or not table or _is_header(table[0], table[1:_SAMPLE])
    lines = [" ".join(cell for cell in row if cell) for row in rows[:caption]]
    return "\n\n".join([*lines, pipe_table(table, has_header=has_header)])


def _read(text: str, delimiter: str) -> list[list[str]]:
    """By the rules of CSV; where quotes break them, each line by itself, so that one open quote ends with its line."""
    try:
        return _limited(csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error:
        return _limited(row for line in StringIO(text) for row in csv.reader([line], delimiter=delimiter))


def _limited(rows: Iterable[Sequence[str]]) -> list[list[str]]:
    """Rows with stripped cells, those without text left out; raises DocumentTooLarge as soon as there are too many."""
    read: list[list[str]] = []
    left = MAX_TABLE
    for row in rows:
        left -= len(row)
        if left < 0:
            raise DocumentTooLarge(_("The table has more than %(limit)d cells.") % {"limit": MAX_TABLE})
        cells = [cell.strip() for cell in row]
        if any(cells):
            read.append(cells)
    return read


def _delimiter(text: str) -> str:
    """The one by which most of the first lines fall into the same number of cells, more than one."""
    lines = list(islice((line for line in text[:_HEAD].split("\n") if line.strip()), _SAMPLE))
    return max(_DELIMITERS, key=lambda one: _agreement(lines, one))


def _agreement(lines: Sequence[str], delimiter: str) -> tuple[float, int]:
    widths = Counter(len(row) for row in csv.reader(lines, delimiter=delimiter))
    wide = {width: count for width, count in widths.items() if width > 1}
    if not wide:
        return 0.0, 0
    width, count = max(wide.items(), key=lambda one: (one[1], one[0]))
    return count / sum(widths.values()), width


def _is_header(first: Sequence[str], following: Sequence[Sequence[str]]) -> bool:
    """Names only, each once; a first row of values that look like those below it is data."""
    names = [cell for cell in first if cell]
    if len(names) < 2 or len(set(names)) < len(names):
        return False
    values = sum(_VALUE.fullmatch(cell) is not None for cell in names)
    if not values:
        return True
    below = [sum(_VALUE.fullmatch(cell) is not None for cell in row if cell) for row in following]
    return bool(below) and values < min(below)
