"""What `calibrate` prints, line by line."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from knowledgetree.console import number, row
from rag.evaluation.calibration.fitting import CalibrationReport
from rag.evaluation.calibration.fusion import Fusion, FusionReport

_MEASURES = {
    "ece": gettext_lazy("ECE, bins of equal counts"),
    "ece_width": gettext_lazy("ECE, bins of equal width"),
    "brier": "Brier",
    "auc": "ROC AUC",
}
_METHODS = {
    "weighted": gettext_lazy("weighted sum of scores"),
    "rrf": gettext_lazy("ranks (RRF)"),
    "max": gettext_lazy("the greatest score"),
}
_WIDTHS = (-26, 12, 12)


def calibration_lines(report: CalibrationReport) -> Iterator[str]:
    counts = {"answerable": report.answerable, "unanswerable": report.unanswerable}
    yield _("Questions with an answer: %(answerable)d, without: %(unanswerable)d") % counts
    yield _("Left out, for no judged passage is among the first: %(n)d") % {"n": report.unknown}
    yield ""
    yield row(_WIDTHS, _("on questions put aside"), _("so far"), _("fitted"))
    for measure, words in _MEASURES.items():
        before, after = (getattr(reliability, measure) for reliability in (report.before, report.after))
        yield row(_WIDTHS, words, number(before, 4), number(after, 4))
    yield ""
    yield _("Refusals [%]: with an answer → fitted, without an answer → fitted")
    for before, after in zip(report.refusals_before, report.refusals_after, strict=True):
        yield (
            f"  min_relevance {number(after.threshold, 1)} {_percent(before.answerable)} → {_percent(after.answerable)}"
            f"   {_percent(before.unanswerable)} → {_percent(after.unanswerable)}"
        )
    yield ""
    for name, part in report.calibration.inputs.items():
        yield f"  {name:<12} " + _("weight %(weight)s") % {"weight": number(part.weight, 2)}


def fusion_lines(report: FusionReport) -> Iterator[str]:
    yield _("Fusion: so far %(fusion)s") % {"fusion": _described(report.current)}
    yield "  " + _("the best on half of the questions: %(fusion)s") % {"fusion": _described(report.chosen)}
    yield "  " + _("on the other half (%(n)d) nDCG@10 %(before)s → %(after)s, p %(p)s: %(verdict)s") % {
        "n": report.questions,
        "before": number(report.before),
        "after": number(report.after),
        "p": number(report.p, 4),
        "verdict": _("it changes") if report.better else _("it stays as it was"),
    }
    yield ""


def _percent(share: float) -> str:
    return f"{number(100 * share, 1):>5}"


def _described(fusion: Fusion) -> str:
    return _("%(method)s, weight of vectors %(weight)s, least similarity %(similarity)s") % {
        "method": _METHODS[fusion.method],
        "weight": number(fusion.dense_weight, 2),
        "similarity": number(fusion.min_similarity, 2),
    }
