"""Pictures of pages made straight, and the ruling lines on them, so that tables of scans are tables too."""

import numpy as np
from numpy.typing import NDArray
from PIL import Image

_DARK = 160
_MAX_SKEW = 3.0
"""Degrees; what is more crooked is a photograph."""

_STEP = 0.2
_SKEW_WIDTH = 800
"""Pixels that suffice to see the skew."""

_MIN_LENGTH = 0.06
"""Of the width of the page; no letter has so long a stroke."""

_INK = 0.9
"""The share of a line that is dark even where the scanner lost some of it."""

_MAX_THICK = 12
_MAX_LINES = 400

PixelBox = tuple[int, int, int, int]
"""Left, top, right, bottom."""


def straightened(picture: Image.Image) -> Image.Image:
    """A grey picture turned by up to three degrees so that its lines lie level (projection profile, Postl 1986)."""
    small = picture.resize((_SKEW_WIDTH, max(1, round(picture.height * _SKEW_WIDTH / picture.width))))
    dark = Image.fromarray(((np.asarray(small) < _DARK) * 255).astype(np.uint8))
    angles = np.arange(-_MAX_SKEW, _MAX_SKEW + _STEP / 2, _STEP)
    best = max(angles.tolist(), key=lambda angle: (_sharpness(dark, angle), -abs(angle)))
    if abs(best) < _STEP / 2:
        return picture
    return picture.rotate(best, resample=Image.Resampling.BILINEAR, fillcolor=255)


def _sharpness(dark: Image.Image, angle: float) -> float:
    rows = np.asarray(dark.rotate(angle), dtype=np.float32).sum(axis=1)
    return float(np.square(np.diff(rows)).sum())


def ruling_lines(picture: Image.Image) -> list[PixelBox]:
    """The horizontal and vertical lines of a straight grey picture; none where it is a drawing."""
    dark = np.asarray(picture) < _DARK
    shortest = max(20, round(_MIN_LENGTH * picture.width))
    lying = [(left, top, right, bottom) for top, left, bottom, right in _lines(dark, shortest)]
    lines = lying + _lines(np.ascontiguousarray(dark.T), shortest)
    return lines if len(lines) <= _MAX_LINES else []


def without_lines(picture: Image.Image, lines: list[PixelBox]) -> Image.Image:
    """The picture with white instead of them: a letter that touches a line is misread."""
    if not lines:
        return picture
    pixels = np.array(picture)
    for left, top, right, bottom in lines:
        pixels[max(0, top - 1) : bottom + 1, max(0, left - 1) : right + 1] = 255
    return Image.fromarray(pixels)


def _lines(dark: NDArray[np.bool_], shortest: int) -> list[PixelBox]:
    """Rows of dark pixels, neighbouring ones joined, as (first row, first column, last row, last column)."""
    open_: list[list[int]] = []
    done: list[list[int]] = []
    for row, start, end in _runs(dark, shortest):
        done += [line for line in open_ if row - line[2] > 2]
        open_ = [line for line in open_ if row - line[2] <= 2]
        line = next((line for line in open_ if start < line[3] and line[1] < end), None)
        if line is None:
            open_.append([row, start, row + 1, end])
        else:
            line[1], line[2], line[3] = min(line[1], start), row + 1, max(line[3], end)
    return [(r0, c0, r1, c1) for r0, c0, r1, c1 in [*done, *open_] if r1 - r0 <= _MAX_THICK]


def _runs(dark: NDArray[np.bool_], shortest: int) -> list[tuple[int, int, int]]:
    """(row, start, end) of each stretch of at least `shortest` pixels that are dark but for a few, row by row."""
    thick = dark.copy()
    thick[1:] |= dark[:-1]  # a line that is not quite level changes rows
    sums = np.zeros((dark.shape[0], dark.shape[1] + 1), dtype=np.int32)
    np.cumsum(thick, axis=1, out=sums[:, 1:])
    inked = sums[:, shortest:] - sums[:, :-shortest] >= _INK * shortest
    padded = np.zeros((inked.shape[0], inked.shape[1] + 2), dtype=np.int8)
    padded[:, 1:-1] = inked
    steps = np.diff(padded, axis=1)
    rows, starts = np.nonzero(steps == 1)
    _, ends = np.nonzero(steps == -1)
    return list(zip(rows.tolist(), starts.tolist(), (ends + shortest - 1).tolist(), strict=True))
