"""Ruled tables: which characters stand in which cell."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from ingestion.extraction.pdf_layout.hyphens import join_hyphenated
from ingestion.extraction.pdf_layout.lines import from_top_to_bottom, lines_of, turned_lines
from ingestion.extraction.pdf_layout.page import Box, Character, PageLayout
from ingestion.extraction.pdf_layout.rulings import Grid, grids

_MIN_FILLED = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The cells of a table row by row; a cell over several rows or columns stands at its top left."""

    box: Box
    rows: tuple[tuple[str, ...], ...]


def split_tables(layout: PageLayout) -> tuple[list[Table], list[Character]]:
    """The tables of a page, and the characters outside them in their order."""
    tables: list[Table] = []
    outside = list(layout.characters)
    for grid in grids(layout.drawn):
        cells, rest = _sorted_into(grid, outside)
        rows = _rows(grid, cells)
        if _is_table(rows):
            box = Box(grid.xs[0], grid.ys[-1], grid.xs[-1], grid.ys[0])
            tables.append(Table(box=box, rows=rows))
            outside = rest
    return tables, outside


def _sorted_into(
    grid: Grid, characters: Sequence[Character]
) -> tuple[dict[tuple[int, int], list[Character]], list[Character]]:
    cells: dict[tuple[int, int], list[Character]] = defaultdict(list)
    owner = cache(grid.owner)
    rest: list[Character] = []
    current: list[Character] = rest
    for character in characters:
        # Spaces and line breaks have no reliable place; they belong to the character before.
        if not character.text.isspace():
            box = character.box
            place = grid.place((box.left + box.right) / 2, (box.bottom + box.top) / 2)
            current = cells[owner(*place)] if place else rest
        current.append(character)
    return cells, rest


def _rows(grid: Grid, cells: dict[tuple[int, int], list[Character]]) -> tuple[tuple[str, ...], ...]:
    texts = {place: _cell_text(characters) for place, characters in cells.items()}
    rows = range(len(grid.ys) - 1)
    return tuple(tuple(texts.get((row, column), "") for column in range(len(grid.xs) - 1)) for row in rows)


def _cell_text(characters: Sequence[Character]) -> str:
    text, hyphenated = "", False
    for line in [*from_top_to_bottom(lines_of(characters)), *turned_lines(characters)]:
        text = join_hyphenated(text, line.text, frozenset()) if hyphenated else f"{text} {line.text}"
        hyphenated = line.hyphenated
    return text.strip()


def _is_table(rows: Sequence[Sequence[str]]) -> bool:
    filled = [sum(bool(cell) for cell in row) for row in rows]
    return sum(filled) >= _MIN_FILLED and sum(count > 1 for count in filled) > 1
