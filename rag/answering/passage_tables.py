"""Tables of a passage: Markdown pipe tables, as all readers write them, and lists whose items are "this – that"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ingestion.text.markdown.inline import plain_inline
from rag.types import Passage

_LINE = re.compile(r"[^\n]+")
_RULING = re.compile(r"\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?\|?\s*\Z")
_CELL = re.compile(r"(?<!\\)\|")
_BREAK = re.compile(r"<\s*/?\s*br\s*/?\s*>", re.IGNORECASE)
_ITEM = re.compile(r"\s*(?:[-*•–]|\d{1,2}[.)]|[a-z]\))\s+")
_LISTS = re.compile(rf"\s*\||{_ITEM.pattern}")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_HALVES = re.compile(r"\s+[–—-]\s+|:\s+|\s+=\s+")
_INTRODUCTION = 300  # characters above a table that may say what it is
_LONGEST_HALF = 90  # characters before the dash of an item; more is a sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class TableRow:
    """Characters [start, end) of the passage's text. `cells` are without Markdown."""

    start: int
    end: int
    cells: tuple[str, ...]

    @property
    def name(self) -> str:
        """The first cell that has anything in it."""
        return next((cell for cell in self.cells if cell), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageTable:
    """Rows of one width. `columns` are the names, "" for a column without; `introduction` is what stands above it."""

    columns: tuple[str, ...]
    rows: tuple[TableRow, ...]
    introduction: str = ""


def tables_of(text: str, *, header: str = "") -> list[PassageTable]:
    """The tables of a passage's text, in order. `header`: the columns of one that begins before the passage."""
    return list(_tables(text, [match.span() for match in _LINE.finditer(text)], header))


def is_whole(table: PassageTable, passage: Passage) -> bool:
    """Whether all rows of a table of the passage stand in it: neither edge of the passage cuts it."""
    above, below = passage.text[: table.rows[0].start], passage.text[table.rows[-1].end :]
    before, after = passage.context_before.strip().split("\n")[-1], passage.context_after.strip().split("\n")[0]
    return not any(not left.strip() and _LISTS.match(beside) for left, beside in ((above, before), (below, after)))


def _tables(text: str, lines: Sequence[tuple[int, int]], header: str) -> Iterator[PassageTable]:
    place = 0
    while place < len(lines):
        reads = next((one for one in (_is_row, _is_item) if one(text, lines[place])), None)
        if reads is None:
            place += 1
            continue
        after = next((n for n in range(place, len(lines)) if not reads(text, lines[n])), len(lines))
        block = [span for span in lines[place:after] if text[slice(*span)].strip()]
        above = text[max(0, lines[place][0] - _INTRODUCTION) : lines[place][0]]
        table = _piped(text, block, above, header) if reads is _is_row else _listed(text, block, above)
        if table:
            yield table
        place = after


def _is_row(text: str, span: tuple[int, int]) -> bool:
    return text[slice(*span)].lstrip().startswith("|") and text[slice(*span)].count("|") >= 2


def _is_item(text: str, span: tuple[int, int]) -> bool:
    return bool(_ITEM.match(text, *span))


def _piped(text: str, block: Sequence[tuple[int, int]], above: str, header: str) -> PassageTable | None:
    ruling = next((n for n, span in enumerate(block) if _RULING.match(text[slice(*span)])), None)
    names = _cells(text[slice(*block[ruling - 1])]) if ruling else tuple(header.split(" | ")) if header else ()
    spans = block[ruling + 1 :] if ruling is not None else block
    rows = [TableRow(start=start, end=end, cells=_cells(text[start:end])) for start, end in spans]
    rows = [row for row in rows if sum(map(bool, row.cells)) > 1]
    width = max((len(row.cells) for row in rows), default=0)
    if width < 2:
        return None
    columns = (*names, *("",) * width)[:width]
    return PassageTable(columns=columns, rows=tuple(rows), introduction=_introduction(above))


def _listed(text: str, block: Sequence[tuple[int, int]], above: str) -> PassageTable | None:
    """Items of two halves each; a list of one column is none."""
    rows = [row for span in block if (row := _halved(text, span))]
    if len(rows) < 2 or len(rows) < len(block):
        return None
    return PassageTable(columns=("", ""), rows=tuple(rows), introduction=_introduction(above))


def _halved(text: str, span: tuple[int, int]) -> TableRow | None:
    written = text[slice(*span)]
    marker = _ITEM.match(written)
    rest = written[marker.end() if marker else 0 :]
    half = _HALVES.search(rest)
    if half is None or half.start() > _LONGEST_HALF:
        return None
    cells = (_plain(rest[: half.start()]), _plain(rest[half.end() :]).rstrip(",;."))
    return TableRow(start=span[0], end=span[1], cells=cells) if all(cells) else None


def _cells(row: str) -> tuple[str, ...]:
    inside = row.strip().removeprefix("|")
    inside = inside[:-1] if inside.endswith("|") and not inside.endswith("\\|") else inside
    return tuple(_plain(cell.replace("\\|", "|")) for cell in _CELL.split(inside))


def _plain(cell: str) -> str:
    return " ".join(plain_inline(_BREAK.sub(" ", cell)).split())


def _introduction(above: str) -> str:
    """The paragraph and the heading right above, not another table."""
    lines = [line for line in above.split("\n") if line.count("|") < 2]
    return " ".join(lines[-4:]).strip()
