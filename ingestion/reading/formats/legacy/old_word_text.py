"""The text of an old Word file: what its control characters mean."""

import re
from collections.abc import Iterator, Sequence

from ingestion.reading.pipe_tables import pipe_table
from ingestion.reading.typography import plain_typography

_FIELD = re.compile(r"\x13[^\x13\x14\x15]*(?:\x14([^\x13\x14\x15]*))?\x15")
_OBJECTS = re.compile("[\x01\x03\x04\x05\x08\x13\x14\x15]")
_NOTE = "\x02"
_MAX_NESTING = 10
_MAX_COLUMNS = 63  # Word's own limit
_SIGNS = str.maketrans({"\x0b": "\n", "\x0c": "\r", "\x0e": "\r", "\x1e": "-", "\x1f": None})


def without_fields(text: str) -> str:
    """Fields show their result, not their code: { HYPERLINK "…" | link } is "link"."""
    for _nesting in range(_MAX_NESTING):
        text, replaced = _FIELD.subn(lambda match: match[1] or "", text)
        if not replaced:
            break
    return _OBJECTS.sub("", text)


def with_note_marks(body: str, others: Sequence[str]) -> list[str]:
    """The marks of footnotes as "[^1]" in the body and "[^1]: " before the note."""
    counter = 0

    def numbered(_match: re.Match[str]) -> str:
        nonlocal counter
        counter += 1
        return f"[^{counter}]"

    texts = [re.sub(_NOTE, numbered, body)]
    counter = 0
    return texts + [re.sub(_NOTE, lambda match: numbered(match) + ": ", text) for text in others]


def blocks_of(text: str) -> Iterator[str]:
    """Paragraphs end with "\\r", cells of tables with "\\x07", and each row with one more "\\x07"."""
    run: list[str] = []
    *cells, rest = text.translate(_SIGNS).split("\x07")
    for cell in cells:
        before, last = _paragraphs(cell)
        if before and not (run and run[-1]):  # after the mark that may end a row, or before any
            yield from _table(run)
            yield from before
            run = [last]
        else:
            run.append(" ".join([*before, last]).strip())
    yield from _table(run)
    before, last = _paragraphs(rest)
    yield from [*before, last] if last else before


def _paragraphs(piece: str) -> tuple[list[str], str]:
    """Those that have ended, and the one that has not."""
    *ended, last = (_tidy(one) for one in piece.split("\r"))
    return [one for one in ended if one], last


def _table(cells: Sequence[str]) -> Iterator[str]:
    """The cells of a table in one row after another, after each row an empty one."""
    if not cells:
        return
    width = next((width for width in range(1, _MAX_COLUMNS + 1) if _fits(cells, width)), 0)
    rows = [list(cells[start : start + width]) for start in range(0, len(cells), width + 1)] if width else []
    if width < 2 or sum(map(any, rows)) < 2:
        yield from (cell for cell in cells if cell)
    else:
        yield pipe_table(rows)


def _fits(cells: Sequence[str], width: int) -> bool:
    return len(cells) % (width + 1) == 0 and not any(cells[width :: width + 1])


def _tidy(text: str) -> str:
    lines = (" ".join(plain_typography(line.replace("\t", " ")).split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)
