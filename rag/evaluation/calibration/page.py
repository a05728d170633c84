"""A calibration as one HTML page that needs nothing else: reliability diagrams drawn as SVG, and the figures."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from rag.evaluation.calibration.fitting import CalibrationReport, Refusals
from rag.evaluation.calibration.fusion import FusionReport
from rag.evaluation.calibration.reliability import Reliability
from rag.evaluation.pages.charts import Diagram, reliability_diagram


@dataclass(frozen=True, slots=True, kw_only=True)
class FittedDiagram:
    drawn: Diagram
    reliability: Reliability


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
            "rows": list(map(_row, report.refusals_before, report.refusals_after)),
        },
    )


def _diagram(title: str, reliability: Reliability) -> FittedDiagram:
    drawn = reliability_diagram(
        title, reliability.bins, across=_("predicted relevance"), upwards=_("share of those that help")
    )
    return FittedDiagram(drawn=drawn, reliability=reliability)


def _row(before: Refusals, after: Refusals) -> ThresholdRow:
    shares = (before.answerable, after.answerable, before.unanswerable, after.unanswerable)
    return ThresholdRow(threshold=after.threshold, shares=tuple(number_format(100 * share, 1) for share in shares))
