"""Characters as lines of text."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from ingestion.reading.encoding import clean
from ingestion.reading.formats.pdf.layout.footnotes import with_note_marks
from ingestion.reading.formats.pdf.layout.formulas import FORMULA_LETTERS, in_writing_order
from ingestion.reading.formats.pdf.layout.page import LINE_HYPHEN, Box, Character, turned
from ingestion.reading.typography import plain_typography

_SPACES = re.compile(r"[ \t]+")
_BULLET = re.compile(r"^(?:[•●○◦▪■□➢✓·][ \t]*|[–—−][ \t]+)(?=\S)")
_DRAWN_BULLET = re.compile("[\uf0b7\uf0a7\uf0d8\uf0fc\uf076]")
_PRIVATE_USE = re.compile("[\ue000-\uf8ff]")
_LIGATURE = re.compile("[\ufb00-\ufb06]")
_LIGATURES = dict(
    zip("\ufb00\ufb01\ufb02\ufb03\ufb04\ufb05\ufb06", ("ff", "fi", "fl", "ffi", "ffl", "st", "st"), strict=True)
)
_COLUMN_GAP = 2.0
"""A gap wider than this many line heights separates columns, not words."""

_SEGMENT_GAP = 1.0
"""A gap wider than this many line heights may be the white between two columns of text."""

_INDEX = 6
"""Characters of an index at most."""

# What may stand alone before a gap without being a cell: the number of an item, a bullet, the mark of a note.
_LABEL = re.compile(r"[-•●○◦▪■□➢✓·–—−]|[*∗]+\)?|[(\[]?[\w^]{1,4}[.)\]]{1,2}:?|(?:§|[Aa]rt\.) ?\d{1,4}[a-z]?\.?")


class Cell(NamedTuple):
    """A piece of a line between wide gaps."""

    left: float
    right: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line and its place. `size`: the height of its letters; `cells`: its pieces, if wide gaps part it. `opens`: it
    does not go on with the line before, as the first one in a frame.
    """

    text: str
    box: Box
    size: float
    bold: bool = False
    hyphenated: bool = False
    cells: tuple[Cell, ...] = ()
    opens: bool = False

    @property
    def tabular(self) -> bool:
        return len(self.cells) > 1

    def translated(self, letters: Mapping[int, str]) -> "Line":
        cells = tuple(cell._replace(text=cell.text.translate(letters)) for cell in self.cells)
        return replace(self, text=self.text.translate(letters), cells=cells)


def lines_of(characters: Sequence[Character]) -> list[Line]:
    """The upright lines in the order of the file, neighbours on one baseline joined."""
    return joined(segments_of(characters))


def segments_of(characters: Sequence[Character]) -> list[Line]:
    """The upright lines, in pieces where the white between two columns may run through them."""
    return _segments([one for one in characters if not one.turns or one.text == "\n"])


def turned_lines(characters: Sequence[Character]) -> list[Line]:
    """The lines that run across the others (labels of columns, marks in the margin), in coordinates of
    their own.

    Their size is the smallest, so that none is taken for a heading.
    """
    if not any(one.turns for one in characters):
        return []
    turned_back = [one._replace(box=turned(one.box, one.turns)) for one in characters if one.turns or one.text == "\n"]
    return [replace(line, size=1.0, bold=False) for line in from_top_to_bottom(joined(_segments(turned_back)))]


def in_reading_order(lines: Sequence[Line]) -> list[Line]:
    """`lines` as they come; from top to bottom where a program wrote them in no order at all."""
    pairs = list(pairwise(lines))
    upwards = [other.box.left < one.box.right for one, other in pairs if other.box.bottom > one.box.top]
    backwards = sum(upwards)  # a step up and to the right is the way to the next column
    if backwards <= 0.1 * len(pairs) and len(upwards) <= max(2, 0.2 * len(pairs)):
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
    return joined(line for row in rows for line in sorted(row, key=lambda one: one.box.left))


def joined(lines: Iterable[Line]) -> list[Line]:
    """`lines` with those made one that follow each other on one baseline."""
    whole: list[Line] = []
    for line in lines:
        if whole and _continues(whole[-1], line):
            whole[-1] = _join(whole[-1], line)
        else:
            whole.append(line)
    return [_with_bullet(line) for line in whole]


def _with_bullet(line: Line) -> Line:
    return replace(line, text=_BULLET.sub("- ", line.text)) if _BULLET.match(line.text) else line


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


def _segments(characters: Sequence[Character]) -> list[Line]:
    return [line for run in _runs(characters) if (line := _line(run)) is not None]


def _runs(characters: Sequence[Character]) -> Iterator[list[Character]]:
    """Characters between line breaks, and between jumps that the file does not mark as one."""
    run: list[Character] = []
    before: Box | None = None  # the place of the last visible character
    for character in in_writing_order(characters):
        text, box = character.text, character.box
        visible = not text.isspace()
        if run and (text == "\n" or (visible and before and not _is_next(before, box) and _jumps(before, box))):
            yield run
            run, before = [], None
        if text != "\n":
            run.append(character)
            before = box if visible else before
    if run:
        yield run


def _is_next(one: Box, other: Box) -> bool:
    """The ordinary case, told quickly: the next letter of the line."""
    return one[1] == other[1] and one[0] <= other[0] <= one[2] + 0.5 * (other[3] - other[1])


def _jumps(one: Box, other: Box) -> bool:
    height, tall = one[3] - one[1], other[3] - other[1]
    overlap = (one[3] if one[3] < other[3] else other[3]) - (one[1] if one[1] > other[1] else other[1])
    small, large = (height, tall) if height < tall else (tall, height)
    large = large if large > 1.0 else 1.0
    step = other[0] - one[2]
    return overlap < 0.2 * small or step > _SEGMENT_GAP * large or other[0] < one[0] - 2 * large


def _line(run: Sequence[Character]) -> Line | None:
    visible = [character for character in run if not character.text.isspace()]
    if not visible:
        return None
    boxes = [character.box for character in visible]
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    heights = [top - bottom for top, bottom in zip(tops, bottoms, strict=True)]
    size = max(median(heights), 1.0)
    marked = with_note_marks(run, size) if min(heights) < 0.8 * size else run
    text = _text("".join([one.text for one in marked]))
    if not text:
        return None
    return Line(
        text=text,
        box=Box(min(lefts), min(bottoms), max(rights), max(tops)),
        size=size,
        bold=sum(character.bold for character in visible) > 0.9 * len(visible),
        hyphenated=run[-1].text == LINE_HYPHEN or (text.endswith("-") and len(text) > 1 and text[-2].isalpha()),
    )


def _text(raw: str) -> str:
    text = clean(raw.replace(LINE_HYPHEN, "-"))
    if not text.isascii():
        text = text.translate(FORMULA_LETTERS)
        text = _LIGATURE.sub(lambda match: _LIGATURES[match[0]], _PRIVATE_USE.sub("", _DRAWN_BULLET.sub("•", text)))
    return _SPACES.sub(" ", plain_typography(text).strip())


def _continues(one: Line, other: Line) -> bool:
    """Whether `other` stands right of `one` on its baseline, or is an index raised or lowered."""
    if other.box.left <= one.box.right - 0.3 * one.size or one.hyphenated:
        return False
    if abs(one.box.bottom - other.box.bottom) < 0.3 * max(one.size, other.size):
        return True
    small, large = sorted((one, other), key=lambda line: line.size)
    shared = min(one.box.top, other.box.top) - max(one.box.bottom, other.box.bottom)
    return small.size < 0.85 * large.size and len(small.text) <= _INDEX and shared > 0.4 * small.size


def _join(one: Line, other: Line) -> Line:
    gap = other.box.left - one.box.right
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
        opens=one.opens,
        cells=_cells(one, other, glue, is_wide=gap > _COLUMN_GAP * one.size),
    )


def _cells(one: Line, other: Line, glue: str, *, is_wide: bool) -> tuple[Cell, ...]:
    before = one.cells or (Cell(one.box.left, one.box.right, one.text),)
    after = other.cells or (Cell(other.box.left, other.box.right, other.text),)
    last = before[-1]
    if is_wide and not (len(before) == 1 and _LABEL.fullmatch(last.text)):
        return before + after
    merged = Cell(last.left, after[0].right, last.text + glue + after[0].text)
    cells = (*before[:-1], merged, *after[1:])
    return cells if len(cells) > 1 else ()
