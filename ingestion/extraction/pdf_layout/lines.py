"""Characters as lines of text."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median

from ingestion.extraction.encoding import clean
from ingestion.extraction.pdf_layout.page import LINE_HYPHEN, Box, Character, turned
from ingestion.extraction.typography import plain_typography

_SPACES = re.compile(r"[ \t]+")
_BULLET = re.compile(r"^[•●○◦▪■□➢✓\uf0b7\uf0a7\uf0d8\uf0fc\uf076·][ \t]*(?=\S)|^[–—][ \t]+(?=\S)")
_PRIVATE_USE = re.compile("[\ue000-\uf8ff]")
_COLUMN_GAP = 2.0
"""A gap wider than this many line heights separates columns, not words."""

_LABEL = 6
"""Characters before a gap that are the number of an item or its bullet, not a column."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line and its place. `size`: the height of its letters; `tabular`: it has gaps of columns."""

    text: str
    box: Box
    size: float
    bold: bool = False
    hyphenated: bool = False
    tabular: bool = False


def lines_of(characters: Sequence[Character]) -> list[Line]:
    """The upright lines in the order of the file, neighbours on one baseline joined."""
    return _lines([one for one in characters if not one.turns or one.text == "\n"])


def turned_lines(characters: Sequence[Character]) -> list[Line]:
    """The lines that run across the others (labels of columns, marks in the margin), in coordinates of
    their own.

    Their size is the smallest, so that none is taken for a heading.
    """
    turned_back = [one._replace(box=turned(one.box, one.turns)) for one in characters if one.turns or one.text == "\n"]
    return [replace(line, size=1.0, bold=False) for line in from_top_to_bottom(_lines(turned_back))]


def in_reading_order(lines: Sequence[Line]) -> list[Line]:
    """`lines` as they come; from top to bottom where a program wrote them in no order at all."""
    pairs = list(pairwise(lines))
    upwards = sum(other.box.bottom > one.box.top for one, other in pairs)
    if upwards <= max(2, 0.2 * len(pairs)):  # two are three columns
        return list(lines)
    return from_top_to_bottom(lines)


def from_top_to_bottom(lines: Sequence[Line]) -> list[Line]:
    """`lines` by height, those on one baseline joined from left to right."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=lambda one: -one.box.bottom):
        if rows and abs(rows[-1][0].box.bottom - line.box.bottom) < 0.5 * max(line.size, rows[-1][0].size):
            rows[-1].append(line)
        else:
            rows.append([line])
    return _joined(line for row in rows for line in sorted(row, key=lambda one: one.box.left))


def _joined(lines: Iterable[Line]) -> list[Line]:
    joined: list[Line] = []
    for line in lines:
        if joined and _continues(joined[-1], line):
            joined[-1] = _join(joined[-1], line)
        else:
            joined.append(line)
    return joined


def _lines(characters: Sequence[Character]) -> list[Line]:
    return _joined(line for run in _runs(characters) if (line := _line(run)) is not None)


def with_drawn_bullets(lines: Sequence[Line], drawn: Sequence[Box]) -> list[Line]:
    """`lines` with "- " where a dot is drawn, not written, right before the line, as browsers print lists."""
    dots = [box for box in drawn if _is_dot(box)]
    return [replace(line, text=f"- {line.text}") if _has_dot(line, dots) else line for line in lines]


def _is_dot(box: Box) -> bool:
    width, height = box.right - box.left, box.top - box.bottom
    return 1.5 < width < 8 and abs(width - height) < 1


def _has_dot(line: Line, dots: Sequence[Box]) -> bool:
    middle = (line.box.bottom + line.box.top) / 2
    before = (dot for dot in dots if 0 < line.box.left - dot.right < 1.5 * line.size)
    beside = (abs((dot.bottom + dot.top) / 2 - middle) < 0.4 * line.size for dot in before)
    return not line.text.startswith("- ") and any(beside)


def _runs(characters: Sequence[Character]) -> Iterator[list[Character]]:
    """Characters between line breaks, and between jumps that the file does not mark as one."""
    run: list[Character] = []
    for character in characters:
        if run and (character.text == "\n" or _jumps(run[-1].box, character.box)):
            yield run
            run = []
        if character.text != "\n":
            run.append(character)
    if run:
        yield run


def _jumps(one: Box, other: Box) -> bool:
    height = max(one.top - one.bottom, other.top - other.bottom, 1.0)
    overlap = min(one.top, other.top) - max(one.bottom, other.bottom)
    return overlap < 0.2 * min(one.top - one.bottom, other.top - other.bottom) or other.left < one.left - 2 * height


def _line(run: Sequence[Character]) -> Line | None:
    hyphenated = run[-1].text == LINE_HYPHEN
    raw = "".join("-" if character.text == LINE_HYPHEN else character.text for character in run)
    text = _BULLET.sub("- ", plain_typography(clean(raw)).strip())
    text = _SPACES.sub(" ", _PRIVATE_USE.sub("", text)).strip()
    visible = [character for character in run if not character.text.isspace()]
    if not text or not visible:
        return None
    boxes = [character.box for character in visible]
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    size = median(one.top - one.bottom for one in boxes)
    gaps = (other.left - one.right for one, other in pairwise(boxes[_LABEL - 1 :]))
    return Line(
        text=text,
        box=Box(min(lefts), min(bottoms), max(rights), max(tops)),
        size=max(size, 1.0),
        bold=sum(character.bold for character in visible) > 0.9 * len(visible),
        hyphenated=hyphenated or (text.endswith("-") and len(text) > 1 and text[-2].isalpha()),
        tabular=any(gap > _COLUMN_GAP * size for gap in gaps),
    )


def _continues(one: Line, other: Line) -> bool:
    """Whether `other` stands right of `one` on its baseline, or is an index raised or lowered."""
    small, large = sorted((one, other), key=lambda line: line.size)
    shared = min(one.box.top, other.box.top) - max(one.box.bottom, other.box.bottom)
    is_index = small.size < 0.85 * large.size and len(small.text) <= _LABEL and shared > 0.4 * small.size
    same_baseline = abs(one.box.bottom - other.box.bottom) < 0.3 * large.size
    return (same_baseline or is_index) and other.box.left > one.box.right - 0.3 * one.size and not one.hyphenated


def _join(one: Line, other: Line) -> Line:
    gap = other.box.left - one.box.right
    splits_columns = gap > _COLUMN_GAP * one.size and len(one.text) > _LABEL
    glue = "" if gap < 0.1 * one.size else " "
    return Line(
        text=one.text + glue + other.text,
        box=Box(
            one.box.left,
            min(one.box.bottom, other.box.bottom),
            other.box.right,
            max(one.box.top, other.box.top),
        ),
        size=max(one.size, other.size),
        bold=one.bold and other.bold,
        hyphenated=other.hyphenated,
        tabular=one.tabular or other.tabular or splits_columns,
    )
