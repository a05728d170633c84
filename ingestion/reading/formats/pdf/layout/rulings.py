"""Ruling lines and the grids they form."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import neg
from typing import NamedTuple

from ingestion.reading.formats.pdf.layout.page import Box

_THIN = 3.0
_SHORT = 5.0
_TOUCH = 3.0
_OPEN_SIDE = 12.0
MAX_RULINGS = 800
"""More lines than this are a drawing or squared paper."""


class Ruling(NamedTuple):
    """A horizontal line at height `at`, or a vertical one at abscissa `at`, from `start` to `end`."""

    at: float
    start: float
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Columns lie between neighbouring `xs`, from the left; rows between `ys`, from the top down."""

    xs: tuple[float, ...]
    ys: tuple[float, ...]
    horizontal: tuple[Ruling, ...]
    vertical: tuple[Ruling, ...]

    def place(self, x: float, y: float) -> tuple[int, int] | None:
        """Row and column of a point, None outside."""
        column = bisect_right(self.xs, x) - 1
        row = bisect_right(self.ys, -y, key=neg) - 1
        inside = 0 <= column < len(self.xs) - 1 and 0 <= row < len(self.ys) - 1
        return (row, column) if inside else None

    def owner(self, row: int, column: int) -> tuple[int, int]:
        """The top left place of the cell, which may span several rows and columns."""
        while column > 0 and not self._is_ruled(self.vertical, self.xs[column], self._middle(self.ys, row)):
            column -= 1
        while row > 0 and not self._is_ruled(self.horizontal, self.ys[row], self._middle(self.xs, column)):
            row -= 1
        return row, column

    @staticmethod
    def _middle(edges: Sequence[float], index: int) -> float:
        return (edges[index] + edges[index + 1]) / 2

    @staticmethod
    def _is_ruled(rulings: Iterable[Ruling], at: float, along: float) -> bool:
        return any(abs(one.at - at) < _TOUCH and one.start - _TOUCH <= along <= one.end + _TOUCH for one in rulings)


def grids(drawn: Sequence[Box]) -> list[Grid]:
    """The grids of at least two rows and two columns among what is drawn on a page."""
    horizontal, vertical = _rulings(drawn)
    if not horizontal or not vertical or len(horizontal) + len(vertical) > MAX_RULINGS:
        return []
    return [grid for group in _connected(horizontal, vertical) if (grid := _grid(*group))]


def _rulings(drawn: Sequence[Box]) -> tuple[list[Ruling], list[Ruling]]:
    """Thin shapes are lines; without any, the edges of cells that are only coloured in."""
    horizontal, vertical, cells = [], [], []
    for box in drawn:
        width, height = box.right - box.left, box.top - box.bottom
        if height <= _THIN and width >= _SHORT:
            horizontal.append(Ruling((box.bottom + box.top) / 2, box.left, box.right))
        elif width <= _THIN and height >= _SHORT:
            vertical.append(Ruling((box.left + box.right) / 2, box.bottom, box.top))
        elif width > _SHORT and height > _SHORT:
            cells.append(box)
    if len(horizontal) < 3 or len(vertical) < 3:
        horizontal += [Ruling(at, box.left, box.right) for box in cells for at in (box.bottom, box.top)]
        vertical += [Ruling(at, box.bottom, box.top) for box in cells for at in (box.left, box.right)]
    return _collinear(horizontal), _collinear(vertical)


def _collinear(rulings: Sequence[Ruling]) -> list[Ruling]:
    """Rulings on one line that touch, as one."""
    merged: list[Ruling] = []
    anchor = float("-inf")
    snapped: list[Ruling] = []
    for one in sorted(rulings):
        anchor = one.at if one.at - anchor > 2 else anchor
        snapped.append(one._replace(at=anchor))
    for one in sorted(snapped):
        if merged and merged[-1].at == one.at and one.start <= merged[-1].end + _TOUCH:
            merged[-1] = merged[-1]._replace(end=max(merged[-1].end, one.end))
        else:
            merged.append(one)
    return merged


def _connected(horizontal: Sequence[Ruling], vertical: Sequence[Ruling]) -> list[tuple[list[Ruling], list[Ruling]]]:
    """Groups of rulings that cross or touch each other, directly or through others."""
    groups: list[tuple[list[Ruling], list[Ruling]]] = [([one], []) for one in horizontal]
    for upright in vertical:
        touching = [group for group in groups if any(_touch(one, upright) for one in group[0])]
        apart = [group for group in groups if group not in touching]
        lying = [one for group in touching for one in group[0]]
        standing = [one for group in touching for one in group[1]]
        groups = [*apart, (lying, [*standing, upright])] if touching else groups
    return groups


def _touch(lying: Ruling, standing: Ruling) -> bool:
    return (
        lying.start - _TOUCH <= standing.at <= lying.end + _TOUCH
        and standing.start - _TOUCH <= lying.at <= standing.end + _TOUCH
    )


def _grid(horizontal: Sequence[Ruling], vertical: Sequence[Ruling]) -> Grid | None:
    xs = _edges([*(one.at for one in vertical), *_open_sides(horizontal, vertical)])
    ys = _edges(one.at for one in horizontal)
    if len(xs) < 3 or len(ys) < 3:
        return None
    return Grid(xs=tuple(xs), ys=tuple(reversed(ys)), horizontal=tuple(horizontal), vertical=tuple(vertical))


def _open_sides(horizontal: Sequence[Ruling], vertical: Sequence[Ruling]) -> list[float]:
    """Where lines end that reach well beyond the first and the last upright one: tables often have no outer frame."""
    if not vertical:
        return []
    left, right = min(one.at for one in vertical), max(one.at for one in vertical)
    starts = sorted(one.start for one in horizontal if one.start < left - _OPEN_SIDE)
    ends = sorted(one.end for one in horizontal if one.end > right + _OPEN_SIDE)
    most = len(horizontal) / 2
    return [side[len(side) // 2] for side in (starts, ends) if len(side) >= most]


def _edges(positions: Iterable[float]) -> list[float]:
    ordered = sorted(set(positions))
    return ordered[:1] + [other for one, other in pairwise(ordered) if other - one > _TOUCH]
