"""What `evaluate` prints of answers, line by line, in Polish."""

from collections.abc import Iterator, Mapping

from knowledgetree.conf import Price
from rag.evaluation.answers import TOP, AnswerReport, JudgedAnswer
from rag.evaluation.measures.intervals import Estimate, estimates
from rag.llm.prices import price
from rag.management.commands._evaluation_output import MEASURES, number

_WORST = 5
_WEAK = 0.5  # a measure below it is a reason to look at the answer
_NO_FAULT = "exact_match"  # a good answer is a sentence, the expected one a few words
_WIDTH = max(map(len, MEASURES.values())) + 2


def answer_lines(report: AnswerReport) -> Iterator[str]:
    """Counts, measures with their intervals, what the model cost, and the answers to look at first."""
    yield from _counts(report)
    if measured := estimates(report.graded):
        yield ""
        yield f"{'Miara (0–1, więcej = lepiej)':<{_WIDTH}}{'średnia':>8}{'pytań':>7}   95 % przedział"
        yield from map(_estimate_line, measured)
    yield ""
    yield from _worst_lines(report)


def judge_lines(report: AnswerReport, prices: Mapping[str, Price]) -> Iterator[str]:
    """Which model judged, what it cost, and how often it failed."""
    usage = report.judge_usage
    said = f"Oceniał model {report.judge}: tokeny {usage.input} + {usage.output}"
    if report.judge in prices:
        said += f", koszt {number(price(usage, prices[report.judge]), 4)} USD"
    yield f"{said}."
    if report.unjudged:
        yield f"Nie udało się ocenić odpowiedzi: {report.unjudged} (pominięte w ocenach modelu)."


def _counts(report: AnswerReport) -> Iterator[str]:
    answerable, unanswerable = len(report.answerable), len(report.unanswerable)
    yield f"Właściwy dokument w pierwszych {TOP}:   {report.documents_in_top} z {answerable}"
    yield f"Odpowiedź zawiera oczekiwane słowa: {report.answers_with_expected} z {len(report.with_expected_words)}"
    yield f"Niesłuszne odmowy:                  {report.wrong_refusals} z {answerable}"
    yield f"Słuszne „Nie znaleziono w źródłach.”: {report.right_refusals} z {unanswerable}"
    if (auc := report.confidence_auc) is not None:
        yield f"Pewność odróżnia pytania bez odpowiedzi (ROC AUC; 0,5 = wcale): {number(auc)}"


def _estimate_line(one: Estimate) -> str:
    name = MEASURES.get(one.measure, one.measure)
    return f"  {name:<{_WIDTH - 2}}{number(one.mean):>8}{one.questions:>7}   {number(one.low)} – {number(one.high)}"


def _worst_lines(report: AnswerReport) -> Iterator[str]:
    faulty = [(item, reason) for item in report.worst if (reason := _reason(item))]
    if not faulty:
        yield "Żadna odpowiedź nie wymaga uwagi."
        return
    yield f"Odpowiedzi wymagające uwagi: {len(faulty)}; najsłabsze:"
    for item, reason in faulty[:_WORST]:
        yield f"  {item.question.id}  {reason}: {item.question.question}"
        if item.opinion and item.opinion.reason:
            yield f"      model: {item.opinion.reason}"


def _reason(item: JudgedAnswer) -> str:
    """What is wrong with the answer; empty where nothing is."""
    if not item.question.answerable:
        return "" if item.refused else "odpowiedź, choć nie ma jej w źródłach"
    if item.refused:
        return "niesłuszna odmowa"
    faults = []
    if item.question.expected_documents and not item.in_top:
        faults.append("brak właściwego dokumentu")
    if item.contains_expected is False:
        faults.append("brak oczekiwanych słów")
    if faults:
        return ", ".join(faults)
    looked_at = [(measure, score) for measure, score in item.graded.items() if measure != _NO_FAULT]
    measure, score = min(looked_at, key=lambda one: one[1], default=("", 1.0))
    return f"{MEASURES.get(measure, measure).lower()} {number(score, 2)}" if score < _WEAK else ""
