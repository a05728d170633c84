"""What `calibrate` prints, line by line, in Polish."""

from collections.abc import Iterator

from rag.evaluation.calibration.fitting import CalibrationReport
from rag.evaluation.calibration.fusion import Fusion, FusionReport
from rag.management.commands._evaluation_output import number

_MEASURES = {
    "ece": "ECE, części równoliczne",
    "ece_width": "ECE, przedziały równe",
    "brier": "Brier",
    "auc": "ROC AUC",
}
_METHODS = {"weighted": "ważona suma wyników", "rrf": "rangi (RRF)", "max": "największy wynik"}


def calibration_lines(report: CalibrationReport) -> Iterator[str]:
    yield f"Pytania z odpowiedzią: {report.answerable}, bez odpowiedzi: {report.unanswerable}"
    yield f"Pominięte, bo wśród pierwszych fragmentów nie ma ocenionego: {report.unknown}"
    yield ""
    yield f"{'na odłożonych pytaniach':<26}{'dotychczas':>12}{'dopasowane':>12}"
    for measure, words in _MEASURES.items():
        before, after = (getattr(reliability, measure) for reliability in (report.before, report.after))
        yield f"{words:<26}{number(before, 4):>12}{number(after, 4):>12}"
    yield ""
    yield "Odmowy [%]: z odpowiedzią → dopasowane, bez odpowiedzi → dopasowane"
    for before, after in zip(report.refusals_before, report.refusals_after, strict=True):
        yield (
            f"  min_relevance {number(after.threshold, 1)} {_percent(before.answerable)} → {_percent(after.answerable)}"
            f"   {_percent(before.unanswerable)} → {_percent(after.unanswerable)}"
        )
    yield ""
    for name, part in report.calibration.inputs.items():
        yield f"  {name:<12} waga {number(part.weight, 2)}"


def fusion_lines(report: FusionReport) -> Iterator[str]:
    yield f"Łączenie: dotychczas {_described(report.current)}"
    yield f"  najlepsze na połowie pytań: {_described(report.chosen)}"
    verdict = "zmienia się" if report.better else "zostaje tak, jak było"
    yield (
        f"  na drugiej połowie ({report.questions}) nDCG@10 {number(report.before)} → {number(report.after)}, "
        f"p {number(report.p, 4)}: {verdict}"
    )
    yield ""


def _percent(share: float) -> str:
    return f"{number(100 * share, 1):>5}"


def _described(fusion: Fusion) -> str:
    return (
        f"{_METHODS[fusion.method]}, waga wektorów {number(fusion.dense_weight, 2)}, "
        f"najmniejsze podobieństwo {number(fusion.min_similarity, 2)}"
    )
