"""What `evaluate` prints of answers, line by line."""

from collections.abc import Iterator, Mapping

from django.utils.translation import gettext as _

from knowledgetree.console import number, row
from knowledgetree.language_models import Price
from rag.evaluation.answers import AnswerReport, JudgedAnswer
from rag.evaluation.labels import MEASURES, label
from rag.evaluation.measures.intervals import Estimate, estimates
from rag.llm.spending.prices import price

_WORST = 5
_WEAK = 0.5  # a measure below it is a reason to look at the answer
_NO_FAULT = "exact_match"  # a good answer is a sentence, the expected one a few words


def answer_lines(report: AnswerReport) -> Iterator[str]:
    """Measures with their intervals, and the answers to look at first."""
    if measured := estimates(report.graded):
        widths = (-(max(map(len, map(str, MEASURES.values()))) + 2), 8, 7, 0)
        yield row(widths, _("Measure (0–1, more is better)"), _("mean"), _("tested"), "   " + _("interval (95%)"))
        for one in measured:
            yield row(widths, *_cells(one))
    yield ""
    yield from _worst_lines(report)


def judge_lines(report: AnswerReport, prices: Mapping[str, Price]) -> Iterator[str]:
    """Which model judged, what it cost, and how often it failed."""
    usage = report.judge_usage
    tokens = {"model": report.judge, "input": usage.input, "output": usage.output}
    said = _("The model %(model)s judged: tokens %(input)d + %(output)d") % tokens
    if report.judge in prices:
        said += _(", cost %(cost)s USD") % {"cost": number(price(usage, prices[report.judge]), 4)}
    yield f"{said}."
    if report.unjudged:
        yield _("Answers that could not be judged: %(n)d (left out of the model's grades).") % {"n": report.unjudged}


def _cells(one: Estimate) -> tuple[object, ...]:
    """Of the table's line."""
    interval = f"   {number(one.low)} – {number(one.high)}"
    return f"  {label(MEASURES, one.measure)}", number(one.mean), one.questions, interval


def _worst_lines(report: AnswerReport) -> Iterator[str]:
    faulty = [(item, reason) for item in report.worst if (reason := _reason(item))]
    if not faulty:
        yield _("No answer needs attention.")
        return
    yield _("Answers that need attention: %(n)d; the weakest:") % {"n": len(faulty)}
    for item, reason in faulty[:_WORST]:
        yield f"  {item.question.id}  {reason}: {item.question.question}"
        if item.opinion and item.opinion.reason:
            yield f"      model: {item.opinion.reason}"


def _reason(item: JudgedAnswer) -> str:
    """What is wrong with the answer; empty where nothing is."""
    if not item.question.answerable:
        return "" if item.refused else _("an answer, though the sources have none")
    if item.refused:
        return _("a wrong refusal")
    faults = []
    if item.question.expected_documents and not item.in_top:
        faults.append(_("the right document is missing"))
    if item.contains_expected is False:
        faults.append(_("the expected words are missing"))
    if faults:
        return ", ".join(faults)
    looked_at = [(measure, score) for measure, score in item.graded.items() if measure != _NO_FAULT]
    measure, score = min(looked_at, key=lambda one: one[1], default=("", 1.0))
    return f"{label(MEASURES, measure).lower()} {number(score, 2)}" if score < _WEAK else ""
