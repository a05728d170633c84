"""The rows of a table that is too large for one chunk, with the header that says what they mean."""

import re
from collections.abc import Iterator

from ingestion.chunking.recursive import RecursiveChunker
from ingestion.text.markdown.blocks import MAX_TITLE
from ingestion.text.markdown.inline import plain_inline

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_DELIMITERS = re.compile(r"^[ \t]*\|?(?:[ \t]*:?-+:?[ \t]*\|)+(?:[ \t]*:?-+:?)?[ \t]*$", re.M)
_CELL = re.compile(r"(?<!\\)\|")


def line_ranges(
    text: str, start: int, end: int, *, size: int, recursive: RecursiveChunker
) -> Iterator[tuple[int, int]]:
    """Whole lines of text[start:end] packed into ranges of at most `size` characters.

    A line that is too long by itself is split by `recursive`, the only place where ranges overlap.
    """
    first = last = start
    for line in _LINE.finditer(text, start, end):
        if line.end() - first > size:
            yield from recursive.ranges(text, first, last)
            first = line.start()
        last = line.end()
    yield from recursive.ranges(text, first, last)


def table_header(text: str, start: int, end: int) -> tuple[str, int]:
    """The names of the columns of the first pipe table in text[start:end], and where its rows begin.

    ("Rok | Kwota", 31); ("", end) where there is no table or its columns have no names.
    """
    delimiters = _DELIMITERS.search(text, start, end)
    if delimiters is None:
        return "", end
    header = text[start : delimiters.start()].rstrip("\n").rpartition("\n")[2]
    cells = [plain_inline(cell.replace("\\|", "|")) for cell in _CELL.split(header)]
    return " | ".join(cell for cell in cells if cell)[:MAX_TITLE].rstrip(), min(end, delimiters.end() + 1)
