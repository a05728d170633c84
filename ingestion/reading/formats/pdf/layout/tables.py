"""Ruled tables: which characters stand in which cell."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain
from statistics import median
from typing import Any

from ingestion.reading.formats.pdf.layout.hyphens import join_hyphenated
from ingestion.reading.formats.pdf.layout.lines import from_top_to_bottom, lines_of, turned_lines
from ingestion.reading.formats.pdf.layout.page import Box, Character, PageLayout
from ingestion.reading.formats.pdf.layout.rulings import Grid, grids

_MIN_FILLED = 4
_WORD_SPACE = 0.5
"""A gap wider than this part of the letters' height may lie between two cells."""

Cells = dict[tuple[int, int], list[Character]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The cells of a table row by row; a cell over several rows or columns stands at its top left. `size`: the height
    of its letters, 0 where unknown.
    """

    box: Box
    rows: tuple[tuple[str, ...], ...]
    size: float = 0.0

    def translated(self, letters: Mapping[int, str]) -> "Table":
        return replace(self, rows=tuple(tuple(cell.translate(letters) for cell in row) for row in self.rows))


def split_tables(layout: PageLayout) -> tuple[list[Table], list[list[Character]]]:
    """The tables of a page, and the characters outside them in their order, in regions to be read one after the other.

    A grid that is no table is a frame (a form, a letterhead): each of its cells is a region.
    """
    tables: list[Table] = []
    regions = [list(layout.characters)]
    for grid in grids(layout.drawn):
        parted = [_sorted_into(grid, region) for region in regions]
        rows = _rows(grid, _all_cells(cells for cells, _ in parted))
        if _is_table(rows):
            box = Box(grid.xs[0], grid.ys[-1], grid.xs[-1], grid.ys[0])
            tables.append(Table(box=box, rows=rows, size=_size(parted)))
            regions = [list(chain.from_iterable(rest)) for _, rest in parted]
        else:
            regions = [part for cells, rest in parted for part in _framed(cells, rest)]
    return tables, regions


def _size(parted: Iterable[tuple[Cells, Any]]) -> float:
    boxes = [one.box for cells, _ in parted for place in cells for one in cells[place] if not one.text.isspace()]
    return median(box.top - box.bottom for box in boxes) if boxes else 0.0


def _all_cells(parted: Iterable[Cells]) -> Cells:
    merged: Cells = defaultdict(list)
    for cells in parted:
        for place, characters in cells.items():
            merged[place].extend(characters)
    return merged


def _framed(cells: Cells, rest: tuple[list[Character], list[Character]]) -> list[list[Character]]:
    before, after = rest
    return [part for part in (before, *(cells[place] for place in sorted(cells)), after) if part]


def _sorted_into(grid: Grid, characters: Sequence[Character]) -> tuple[Cells, tuple[list[Character], list[Character]]]:
    """The characters by cell, and those before and after the first of them that stand in none."""
    cells: Cells = defaultdict(list)
    owner = cache(grid.owner)
    before: list[Character] = []
    after: list[Character] = []
    current = before
    ends: dict[int, tuple[Character, list[Character]]] = {}  # of each text written in one go: its end so far
    for character in characters:
        # Spaces and line breaks have no reliable place; they belong to the character before.
        if not character.text.isspace():
            last, running = ends.get(character.written, (None, current))
            if last is not None and _runs_on(last, character):
                current = running
            else:
                box = character.box
                place = grid.place((box.left + box.right) / 2, (box.bottom + box.top) / 2)
                current = cells[owner(*place)] if place else after if cells else before
            ends[character.written] = (character, current)
        current.append(character)
    return cells, (before, after)


def _runs_on(one: Character, other: Character) -> bool:
    """Whether `other` goes on with a text that was written in one go, however narrow its cell is."""
    if one.turns or not one.written:
        return False
    height = one.box.top - one.box.bottom
    level = abs(one.box.bottom - other.box.bottom) < 0.3 * height
    return level and -0.5 * height < other.box.left - one.box.right < _WORD_SPACE * height


def _rows(grid: Grid, cells: Cells) -> tuple[tuple[str, ...], ...]:
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
