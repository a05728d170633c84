"""Tables without ruling lines: rows whose cells stand in columns."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from ingestion.reading.formats.pdf.layout.lines import Cell, Line
from ingestion.reading.formats.pdf.layout.page import Box
from ingestion.reading.formats.pdf.layout.tables import Table

MIN_ROWS = 3
_MAX_CELL = 60
"""Characters of a middling cell; longer ones are columns of text."""

_PITCH = 3.0
"""Rows farther apart than this many line heights are no longer one table."""

Span = tuple[float, float]


def aligned_tables(lines: Sequence[Line]) -> Iterator[list[Line] | Table]:
    """`lines` in order, with runs of rows in columns as tables; the others as they are."""
    plain: list[Line] = []
    for run in _runs(lines):
        table = _table(run) if run[0].tabular else None
        if table is None:
            plain.extend(run)
            continue
        if plain:
            yield plain
            plain = []
        yield table
    if plain:
        yield plain


def _runs(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Neighbouring rows with cells, and in between what may be the second line of one cell; all others one by one."""
    run: list[Line] = []
    for index, line in enumerate(lines):
        if run and not (_follows(run[-1], line) and (line.tabular or _lies_within(run, lines[index : index + 3]))):
            yield run
            run = []
        run.append(line)
        if not run[0].tabular:
            yield run
            run = []
    if run:
        yield run


def _follows(one: Line, other: Line) -> bool:
    return 0 < one.box.bottom - other.box.bottom < _PITCH * one.size


def _lies_within(run: Sequence[Line], coming: Sequence[Line]) -> bool:
    """Whether a line without gaps stands under one cell only, and rows with gaps come after it."""
    line = coming[0]
    spans = _columns([cell for row in run for cell in row.cells])
    touched = [span for span in spans if span[0] - 1 < line.box.right and line.box.left < span[1] + 1]
    return len(touched) == 1 and len(spans) > 1 and any(row.tabular for row in coming[1:])


def _table(run: Sequence[Line]) -> Table | None:
    rows = [row.cells for row in run if row.tabular]
    cells = [cell for row in rows for cell in row]
    columns = _columns(cells)
    if (
        len(rows) < MIN_ROWS
        or len(columns) < 2
        or sorted(len(cell.text) for cell in cells)[len(cells) // 2] > _MAX_CELL
    ):
        return None
    placed = [_placed(row.cells or (Cell(row.box.left, row.box.right, row.text),), columns) for row in run]
    if any(row is None for row in placed):
        return None
    boxes = [row.box for row in run]
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return Table(
        box=Box(min(lefts), min(bottoms), max(rights), max(tops)),
        size=run[0].size,
        rows=_merged([row for row in placed if row is not None], [not row.tabular for row in run]),
    )


def _columns(cells: Sequence[Cell]) -> list[Span]:
    """The stretches of the page, from left to right, that some cell covers."""
    spans: list[Span] = []
    for left, right, _ in sorted(cells):
        if spans and left < spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], right))
        else:
            spans.append((left, right))
    return spans


def _placed(cells: Sequence[Cell], columns: Sequence[Span]) -> list[str] | None:
    """The texts by column; None where two cells fall into one: then the gaps are no columns."""
    texts = [""] * len(columns)
    for cell in cells:
        column = next((index for index, (left, right) in enumerate(columns) if left <= cell.left < right), None)
        if column is None or texts[column]:
            return None
        texts[column] = cell.text
    return texts


def _merged(rows: Sequence[list[str]], is_rest: Sequence[bool]) -> tuple[tuple[str, ...], ...]:
    """The rows, with second lines of cells added to their first ones."""
    merged = [rows[0]]
    for (_, row), rest in zip(pairwise(rows), is_rest[1:], strict=True):
        if rest:
            merged[-1] = [f"{one} {other}".strip() for one, other in zip(merged[-1], row, strict=True)]
        else:
            merged.append(row)
    return tuple(map(tuple, merged))
