"""The sheets of a workbook, whatever program wrote it, as Markdown: captions, tables with one header, notes."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from ingestion.errors import DocumentTooLarge
from ingestion.reading.encoding import clean
from ingestion.reading.pipe_tables import pipe_table

MAX_CELLS = 2_000_000
"""Filled cells of a workbook; the text of more would be over every limit and take minutes to lay out."""

MAX_TABLE = 4_000_000
"""Cells of one table with its empty ones: a few far apart would otherwise make a table of billions."""

_MAX_HEADER = 8
_NUMBER = re.compile(r"[-+]?[\d\s.,]+\s*(?:%|zł|€)?|[-–.]", re.I)

Row = Mapping[int, str]
"""The text of the filled cells of a row by column, from 0."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Cells shown as one, rows and columns from 0, both ends included."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """`rows` by number, only those with text, and `merges` by their top; both in order."""

    name: str
    rows: Mapping[int, Row]
    merges: Sequence[Merge] = ()
    hidden: bool = False
    notes: Sequence[str] = field(default=())


class CellBudget:
    """Counts the cells of a workbook; raises DocumentTooLarge as soon as there are too many."""

    def __init__(self) -> None:
        self._left = MAX_CELLS

    def spend(self, cells: int) -> None:
        self._left -= cells
        if self._left < 0:
            raise DocumentTooLarge(_("The workbook has more than %(limit)d filled cells.") % {"limit": MAX_CELLS})


def sheets_markdown(sheets: Sequence[Sheet]) -> str:
    """A heading for each sheet that has text and what stands on it."""
    return "\n\n".join(
        "\n\n".join([f"# {' '.join(clean(sheet.name).split())}", *blocks])
        for sheet in sheets
        if (blocks := [*_blocks(sheet), *sheet.notes])
    )


def hidden_warning(sheets: Sequence[Sheet]) -> tuple[str, ...]:
    names = ", ".join(sheet.name for sheet in sheets if sheet.hidden)
    return (_("Hidden sheets were left out: %(names)s.") % {"names": names},) if names else ()


class _Table:
    """A table as it grows; the rows up to number `header_end` are its header."""

    def __init__(self, rows: list[tuple[int, Row]], sheet: Sheet) -> None:
        self._sheet = sheet
        self._rows = dict(rows)
        self._columns = {column for _number, row in rows for column in row}
        self._header_end = _header_end(rows, sheet.merges)

    @property
    def is_header_only(self) -> bool:
        return self._header_end > min(self._rows) and max(self._rows) <= self._header_end

    def goes_on_with(self, rows: list[tuple[int, Row]]) -> bool:
        """Whether the rows after a gap are more of the same table: they have no header of their own."""
        first = rows[0][1]
        return any(_NUMBER.fullmatch(text) for text in first.values()) and first.keys() <= self._columns

    def add(self, rows: list[tuple[int, Row]]) -> None:
        self._rows.update(rows)
        self._columns.update(column for _number, row in rows for column in row)

    def markdown(self) -> str:
        if len(self._rows) == 1:
            return next(iter(_lines(list(self._rows.items()))))
        merges = _beginning(self._sheet.merges, min(self._rows), max(self._rows))
        columns = sorted(self._columns.union(one.right for one in merges if one.top <= self._header_end))
        area = sum((min(one.bottom, max(self._rows)) - one.top + 1) * (one.right - one.left + 1) for one in merges)
        if max(len(columns) * len(self._rows), area) > MAX_TABLE:
            message = _("The sheet %(name)s is too wide and too long for a table.")
            raise DocumentTooLarge(message % {"name": self._sheet.name})
        filled = _with_merges(self._rows, merges, self._header_end)
        header = [row for number, row in filled.items() if number <= self._header_end]
        body = [row for number, row in filled.items() if number > self._header_end]
        headings = [_joined(row.get(column, "") for row in header) for column in columns]
        return pipe_table([headings, *([row.get(column, "") for column in columns] for row in body)])


def _blocks(sheet: Sheet) -> Iterator[str]:
    """Lines and tables in order. An empty row inside a table does not end it, as long as numbers follow."""
    table: _Table | None = None
    for group in _groups(sheet.rows):
        before, body, after = _split(group, sheet.merges)
        if table and body and not before and table.goes_on_with(body):
            table.add(body)
        else:
            yield from _finished(table)
            table = _Table(body, sheet) if body else None
            yield from _lines(before)
        if after and table and table.is_header_only:  # "in thousands" between the header and the rows
            table.add(after)
        elif after:
            yield from _finished(table)
            table = None
            yield from _lines(after)
    yield from _finished(table)


def _finished(table: _Table | None) -> Iterator[str]:
    if table is not None:
        yield table.markdown()


def _groups(rows: Mapping[int, Row]) -> Iterator[list[tuple[int, Row]]]:
    """Runs of rows without an empty one between them."""
    group: list[tuple[int, Row]] = []
    for number, row in rows.items():
        if group and number > group[-1][0] + 1:
            yield group
            group = []
        group.append((number, row))
    if group:
        yield group


def _split(group: list[tuple[int, Row]], merges: Sequence[Merge]) -> tuple[list[tuple[int, Row]], ...]:
    """The lines above the table, the table, the lines below it; all lines where there is no table.

    A row of one cell is a line above or below where it stands in the first column and is no number.
    """
    wide = [index for index, (_number, row) in enumerate(group) if len(row) > 1]
    if not wide:
        return group, [], []
    left = min(column for _number, row in group for column in row)
    wide_headings = {
        (one.top, one.left) for one in _beginning(merges, group[0][0], group[wide[0]][0]) if one.right > one.left
    }
    begin, end = wide[0], wide[-1] + 1
    while begin and _place(group[begin - 1]) in wide_headings and _place(group[begin - 1])[1] > left:
        begin -= 1
    while end < len(group) and not _is_line(group[end][1], left):
        end += 1
    return group[:begin], group[begin:end], group[end:]


def _place(numbered: tuple[int, Row]) -> tuple[int, int]:
    return numbered[0], min(numbered[1])


def _is_line(row: Row, left: int) -> bool:
    return left in row and not _NUMBER.fullmatch(row[left])


def _header_end(rows: list[tuple[int, Row]], merges: Sequence[Merge]) -> int:
    """The number of the header's last row: a cell over several columns has its own headings below it."""
    by_number = dict(rows)
    first = last = rows[0][0]
    while last < first + _MAX_HEADER:
        below = last
        for one in _beginning(merges, first, last):
            is_heading = one.right > one.left and len(by_number.get(one.top, ())) > 1
            below = max(below, one.bottom + is_heading)
        if below == last:
            return min(last, rows[-1][0])
        last = below
    return first


def _beginning(merges: Sequence[Merge], first: int, last: int) -> Sequence[Merge]:
    """Those whose top is a row from `first` to `last`."""
    return merges[
        bisect_left(merges, first, key=lambda one: one.top) : bisect_right(merges, last, key=lambda one: one.top)
    ]


def _with_merges(rows: Mapping[int, Row], merges: Sequence[Merge], header_end: int) -> dict[int, Row]:
    """The text of a merged cell again in each row that it spans, in the header also in each column."""
    filled = {number: dict(row) for number, row in rows.items()}
    last = max(filled)
    for one in merges:
        text = rows.get(one.top, {}).get(one.left, "")
        numbers = [number for number in range(one.top, min(one.bottom, last) + 1) if text and number in filled]
        for number in numbers:
            right = one.right if number <= header_end else one.left
            for column in range(one.left, right + 1):
                filled[number].setdefault(column, text)
    return dict(filled)


def _joined(texts: Iterator[str]) -> str:
    """The headings of a column from the top down, each once."""
    return " ".join(dict.fromkeys(" ".join(text.split()) for text in texts if text))


def _lines(rows: list[tuple[int, Row]]) -> Iterator[str]:
    if rows:
        yield "\n".join(" ".join(" ".join(row[column] for column in sorted(row)).split()) for _number, row in rows)
