"""Columns of text side by side: newspapers, bulletins, sidebars."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from ingestion.reading.formats.pdf.layout.lines import Line

MIN_LINES = 3
"""A column has as many; fewer side by side are signatures or the cells of a row."""

_MIN_WHITE = 0.7
_MIN_FILL = 0.55
_PROSE, _SIDEBAR = 20, 8
"""Characters of a middling line where both columns share their baselines (else it may be a table), and where not."""

_FIGURES = 0.35


@dataclass(frozen=True, slots=True, kw_only=True)
class _Band:
    """Segments [start, end) from the top down, parted by white at `x`."""

    start: int
    end: int
    x: float


def in_columns(segments: Sequence[Line]) -> list[list[Line]]:
    """The segments of a page in groups, one to be read after the other; inside of each in the order given.

    Cuts at the white that parts the most lines, then what it has cut (recursive X-Y cut, Nagy and Seth 1984, but only
    where both sides look like prose): rows of a table stay together.
    """
    downwards = sorted(segments, key=lambda one: -one.box.top)
    band = _best_band(downwards)
    if band is None:
        return [list(segments)] if segments else []
    inside = downwards[band.start : band.end]
    left = [one for one in inside if one.box.right <= band.x]
    right = [one for one in inside if one.box.right > band.x]
    groups = (downwards[: band.start], left, right, downwards[band.end :])
    return [part for group in groups for part in in_columns(_as_given(segments, group))]


def _as_given(segments: Sequence[Line], group: Sequence[Line]) -> list[Line]:
    chosen = {id(one) for one in group}
    return [one for one in segments if id(one) in chosen]


def _best_band(downwards: Sequence[Line]) -> _Band | None:
    bands = [band for x in _whites(downwards) for band in _bands(downwards, x) if _parts_prose(downwards, band)]
    return max(bands, key=lambda band: band.end - band.start, default=None)


def _whites(downwards: Sequence[Line]) -> list[float]:
    """Where white may run from top to bottom: at either edge of gaps between neighbours, to four points."""
    before: dict[int, list[float]] = {}
    after: dict[int, list[float]] = {}
    for index, one in enumerate(downwards):
        for other in downwards[index + 1 :]:
            if other.box.top < one.box.bottom + 0.5 * one.size:
                break
            left, right = (one, other) if one.box.left < other.box.left else (other, one)
            if right.box.left - left.box.right > _MIN_WHITE * one.size:
                edge = 0.3 * one.size
                before.setdefault(round(left.box.right / 4), []).append(left.box.right + edge)
                after.setdefault(round(right.box.left / 4), []).append(right.box.left - edge)
    often = MIN_LINES - 1
    return [max(found) for found in before.values() if len(found) >= often] + [
        min(found) for found in after.values() if len(found) >= often
    ]


def _bands(downwards: Sequence[Line], x: float) -> list[_Band]:
    bands: list[_Band] = []
    start = 0
    for index, one in enumerate([*downwards, None]):
        if one is None or one.box.left < x < one.box.right:
            if index - start >= 2 * MIN_LINES:
                bands.append(_Band(start=start, end=index, x=x))
            start = index + 1
    return bands


def _parts_prose(downwards: Sequence[Line], band: _Band) -> bool:
    inside = downwards[band.start : band.end]
    left = [one for one in inside if one.box.right <= band.x]
    right = [one for one in inside if one.box.right > band.x]
    if min(len(left), len(right)) < MIN_LINES:
        return False
    size = median(one.size for one in inside)
    white = min(one.box.left for one in right) - max(one.box.right for one in left)
    beside = min(left[0].box.top, right[0].box.top) - max(left[-1].box.bottom, right[-1].box.bottom)
    if white < _MIN_WHITE * size or beside < 2 * size:
        return False
    shortest = _PROSE if _share_baselines(left, right) else _SIDEBAR
    return all(_is_prose(side, shortest) for side in (left, right))


def _share_baselines(left: Sequence[Line], right: Sequence[Line]) -> bool:
    few, many = sorted((left, right), key=len)
    baselines = [one.box.bottom for one in many]
    level = sum(any(abs(one.box.bottom - at) < 0.15 * one.size for at in baselines) for one in few)
    return level >= 0.8 * len(few)


def _is_prose(side: Sequence[Line], shortest: int) -> bool:
    text = "".join(one.text for one in side)
    return (
        median(len(one.text) for one in side) >= shortest
        and _filled(side) >= _MIN_FILL
        and sum(map(str.isdigit, text)) < _FIGURES * len(text)
    )


def _filled(side: Sequence[Line]) -> float:
    """How much of a row is print, on average; a side may have several columns itself."""
    width = max(one.box.right for one in side) - min(one.box.left for one in side)
    rows = len({round(2 * one.box.bottom / one.size) for one in side})
    return sum(one.box.right - one.box.left for one in side) / (rows * max(width, 1.0))
