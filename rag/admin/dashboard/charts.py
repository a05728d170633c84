"""Charts as places on a canvas, for the template to draw as SVG: stacked bars, lines, both with an axis of values.

Coordinates are strings with a decimal point: a template would write a number with the comma of the reader's language.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

WIDTH, HEIGHT = 480, 200
_LEFT, _RIGHT, _TOP, _BOTTOM = 46, 8, 10, 24
_ACROSS, _DOWN = WIDTH - _LEFT - _RIGHT, HEIGHT - _TOP - _BOTTOM
_TICKS = 4
_LABELS = 7  # below the chart, so that dates do not touch

Words = Callable[[float], str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One value a bucket, None where there is none. `style` is the class that gives the colour."""

    name: str
    style: str
    values: Sequence[float | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    style: str
    y: str
    height: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    x: str
    width: str
    title: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartLine:
    """`paths` are polylines, one a run of buckets with values; a bucket between two without is a dot alone."""

    style: str
    paths: tuple[str, ...]
    dots: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """`ticks` are (y, words), `labels` (x, words); `key` names the chart in the page."""

    key: str
    title: str
    description: str
    legend: tuple[Series, ...]
    ticks: tuple[tuple[str, str], ...]
    labels: tuple[tuple[str, str], ...]
    bars: tuple[Bar, ...] = ()
    lines: tuple[ChartLine, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """The buckets by name, and how values are said. `most` None: as much as there is; `whole`: no parts of a one."""

    buckets: Sequence[str]
    words: Words
    most: float | None = None
    whole: bool = False


def stacked(key: str, title: str, description: str, series: Sequence[Series], axis: Axis) -> Chart:
    """Bars of a bucket upon each other, the first at the bottom."""
    columns = [[one.values[index] or 0.0 for one in series] for index in range(len(axis.buckets))]
    steps = _steps(axis, max(map(sum, columns), default=0.0))
    slot = _ACROSS / max(1, len(columns))
    bars = tuple(
        Bar(
            x=_at(_LEFT + slot * index + slot * 0.14),
            width=_at(slot * 0.72),
            title=_said(axis, index, series),
            parts=_parts(column, series, steps[-1]),
        )
        for index, column in enumerate(columns)
    )
    return _chart(key, title, description, series, axis, steps, bars=bars)


def lined(key: str, title: str, description: str, series: Sequence[Series], axis: Axis) -> Chart:
    values = [value for one in series for value in one.values if value is not None]
    steps = _steps(axis, max(values, default=0.0))
    lines = tuple(_line(one, axis, steps[-1]) for one in series)
    return _chart(key, title, description, series, axis, steps, lines=lines)


def nice_steps(most: float, *, whole: bool = False) -> list[float]:
    """From 0 to at least `most` in at most four steps of 1, 2 or 5 times a power of ten."""
    least = max(most / _TICKS, 1.0 if whole else 1e-9)
    power = 10.0 ** math.floor(math.log10(least))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))
    return [step * number for number in range(max(1, math.ceil(most / step - 1e-9)) + 1)]


def _steps(axis: Axis, most: float) -> list[float]:
    return nice_steps(axis.most if axis.most is not None else most or 1.0, whole=axis.whole)


def _chart(
    key: str,
    title: str,
    description: str,
    series: Sequence[Series],
    axis: Axis,
    steps: Sequence[float],
    *,
    bars: tuple[Bar, ...] = (),
    lines: tuple[ChartLine, ...] = (),
) -> Chart:
    return Chart(
        key=key,
        title=title,
        description=description,
        legend=tuple(series),
        ticks=tuple((_at(_height(step, steps[-1])), axis.words(step)) for step in steps),
        labels=_labels(axis),
        bars=bars,
        lines=lines,
    )


def _parts(column: Sequence[float], series: Sequence[Series], top: float) -> tuple[Part, ...]:
    parts, below = [], 0.0
    for value, one in zip(column, series, strict=True):
        if value:
            y = _height(below + value, top)
            parts.append(Part(style=one.style, y=_at(y), height=_at(_height(below, top) - y)))
        below += value
    return tuple(parts)


def _line(one: Series, axis: Axis, top: float) -> ChartLine:
    known = [(index, value) for index, value in enumerate(one.values) if value is not None]
    runs = [list(run) for _, run in groupby(known, key=lambda item: item[0] - known.index(item))]
    places = [[(_middle(index, axis), _height(value, top)) for index, value in run] for run in runs]
    return ChartLine(
        style=one.style,
        paths=tuple(" ".join(f"{_at(x)},{_at(y)}" for x, y in run) for run in places if len(run) > 1),
        dots=tuple(
            (
                _at(_middle(index, axis)),
                _at(_height(value, top)),
                f"{axis.buckets[index]}: {one.name} {axis.words(value)}",
            )
            for index, value in known
        ),
    )


def _labels(axis: Axis) -> tuple[tuple[str, str], ...]:
    """Evenly spread, the last bucket always among them."""
    every = math.ceil(len(axis.buckets) / _LABELS)
    last = len(axis.buckets) - 1
    shown = range(last % every, last + 1, every)
    return tuple((_at(_middle(index, axis)), axis.buckets[index]) for index in shown)


def _said(axis: Axis, index: int, series: Sequence[Series]) -> str:
    parts = [f"{one.name} {axis.words(value)}" for one in series if (value := one.values[index])]
    return f"{axis.buckets[index]}: {', '.join(parts) or axis.words(0)}"


def _middle(index: int, axis: Axis) -> float:
    return _LEFT + _ACROSS * (index + 0.5) / len(axis.buckets)


def _height(value: float, top: float) -> float:
    return _TOP + _DOWN * (1 - min(1.0, value / top))


def _at(place: float) -> str:
    return f"{place:.1f}"
