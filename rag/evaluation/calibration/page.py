"""A calibration as one HTML page that needs nothing else: reliability diagrams drawn as SVG, and the figures."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from rag.evaluation.calibration.fitting import CalibrationReport, Refusals
from rag.evaluation.calibration.fusion import FusionReport
from rag.evaluation.calibration.reliability import Bin, Reliability

_TICKS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)

SIDE = 300
"""Pixels of a diagram's axis; the template's frame leaves room for its labels."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """A bin in whole pixels from the upper left corner: a number with a decimal comma would be no coordinate."""

    x: int
    y: int
    top: int
    bottom: int
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagram:
    title: str
    reliability: Reliability
    dots: tuple[Dot, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThresholdRow:
    """A threshold, and in percent what it refuses: answerable before and after, unanswerable before and after."""

    threshold: float
    shares: tuple[str, ...]


def calibration_page(
    report: CalibrationReport, *, space: str, reranker: str, datasets: Sequence[str], fusion: FusionReport | None = None
) -> str:
    """The page in the reader's language; names of spaces and sets are escaped."""
    return render_to_string(
        "evaluation/calibration.html",
        {
            "report": report,
            "space": space,
            "reranker": reranker,
            "datasets": datasets,
            "fusion": fusion,
            "made": timezone.localtime(),
            "diagrams": [_diagram(_("So far"), report.before), _diagram(_("Fitted"), report.after)],
            "ticks": [(_across(tick), _down(tick), number_format(tick, 1)) for tick in _TICKS],
            "side": SIDE,
            "rows": list(map(_row, report.refusals_before, report.refusals_after)),
        },
    )


def _diagram(title: str, reliability: Reliability) -> Diagram:
    return Diagram(title=title, reliability=reliability, dots=tuple(map(_dot, reliability.bins)))


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


def _row(before: Refusals, after: Refusals) -> ThresholdRow:
    shares = (before.answerable, after.answerable, before.unanswerable, after.unanswerable)
    return ThresholdRow(threshold=after.threshold, shares=tuple(number_format(100 * share, 1) for share in shares))
