"""Charts of such pages, in whole pixels: a number with a decimal comma would be no coordinate."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from knowledgetree.console import number
from rag.evaluation.calibration.reliability import Bin
from rag.evaluation.labels import STAGES, label

WIDTH = 420
"""Pixels of the longest bar; the template leaves room for words on both sides."""

SIDE = 300
"""Pixels of a diagram's axis; the template's frame leaves room for its labels."""

_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class BarRow:
    """What a bar shows: its value, a greater one that a paler bar behind it shows, and one that a stroke marks."""

    label: str
    value: float
    figures: str
    behind: float = 0.0
    mark: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredBar:
    """A line of a chart: its words, the lengths in pixels of the bar and of a paler one behind it, and the figures.

    `mark`: pixels from the left of a stroke over it; `end`: where the figures may begin.
    """

    label: str
    length: int
    behind: int
    figures: str
    mark: int | None = None

    @property
    def end(self) -> int:
        return max(self.length, self.behind, self.mark or 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredChart:
    """`unit`: "" where the values have none."""

    title: str
    unit: str
    bars: tuple[MeasuredBar, ...]

    @property
    def height(self) -> int:
        return 26 * len(self.bars)

    @property
    def width(self) -> int:
        return WIDTH


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A bin in pixels from the upper left corner, with its interval from `top` to `bottom`."""

    x: int
    y: int
    top: int
    bottom: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagram:
    """A reliability diagram. `across` and `upwards` say what its axes show."""

    title: str
    across: str
    upwards: str
    dots: tuple[Dot, ...]

    @property
    def side(self) -> int:
        return SIDE

    @property
    def ticks(self) -> list[tuple[int, int, str]]:
        return [(_across(tick), _down(tick), number_format(tick, 1)) for tick in _TICKS]


def bar_chart(title: str, unit: str, rows: Sequence[BarRow], *, most: float = 0.0) -> MeasuredChart:
    """`most`: the value of the longest bar; 0: the greatest of the rows."""
    most = most or max([max(row.value, row.behind) for row in rows], default=0) or 1
    return MeasuredChart(title=title, unit=unit, bars=tuple(_bar(row, most) for row in rows))


def latency_chart(latency: Mapping[str, Mapping[str, float]]) -> MeasuredChart:
    """Milliseconds by stage, as runs and measurements keep them."""
    rows = [
        BarRow(
            label=label(STAGES, stage),
            value=times["p50"],
            behind=times["p95"],
            figures=f"{number(times['p50'], 1)} / {number(times['p95'], 1)}",
        )
        for stage, times in latency.items()
    ]
    return bar_chart(_("Time of a question by stage, p50 and p95"), "ms", rows)


def reliability_diagram(title: str, bins: Sequence[Bin], *, across: str, upwards: str) -> Diagram:
    return Diagram(title=title, across=across, upwards=upwards, dots=tuple(map(_dot, bins)))


def _bar(row: BarRow, most: float) -> MeasuredBar:
    return MeasuredBar(
        label=row.label,
        length=_pixels(row.value / most),
        behind=_pixels(row.behind / most),
        figures=row.figures,
        mark=None if row.mark is None else _pixels(row.mark / most),
    )


def _pixels(share: float) -> int:
    return max(1, round(WIDTH * share))


def _dot(part: Bin) -> Dot:
    said = {name: number_format(getattr(part, name), 2) for name in ("chance", "share", "low", "high")}
    return Dot(
        x=_across(part.chance),
        y=_down(part.share),
        top=_down(part.high),
        bottom=_down(part.low),
        words=_("predicted %(chance)s, came true %(share)s (%(low)s–%(high)s)") % said,
    )


def _across(chance: float) -> int:
    return round(SIDE * chance)


def _down(share: float) -> int:
    return round(SIDE * (1 - share))
