"""What `evaluate` prints of a search, line by line."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from knowledgetree.console import number, row
from rag.evaluation.labels import MEASURES, STAGES, label, option_words
from rag.evaluation.measures.latency import PERCENTILES, Latency
from rag.evaluation.measures.significance import LEVEL, RESAMPLES, Difference
from rag.evaluation.retrieval import RetrievalReport
from rag.models import EvaluationRun

_TIMES = (-24, *[9 for _p in PERCENTILES])


def retrieval_lines(report: RetrievalReport) -> Iterator[str]:
    for measure, mean in report.metrics.items():
        yield row((-24, 7), measure, number(mean))
    asked = len(report.rankings)
    missed = _("%(missed)d of %(asked)d questions (%(share)s%%)") % {
        "missed": report.without_lexical_hit,
        "asked": asked,
        "share": number(100 * report.without_lexical_hit / max(1, asked), 1),
    }
    yield row((-25, 0), _("No hit by words"), missed)
    yield ""
    yield from latency_lines(report.latency)


def latency_lines(latency: Latency) -> Iterator[str]:
    yield row(_TIMES, _("Time of a question [ms]"), *[f"p{p}" for p in PERCENTILES])
    for stage, times in latency.items():
        yield row(_TIMES, f"  {label(STAGES, stage)}", *[number(times[f"p{p}"], 1) for p in PERCENTILES])


def comparison_lines(earlier: EvaluationRun, run: EvaluationRun, differences: Sequence[Difference]) -> Iterator[str]:
    yield _("Comparison with run %(number)d (%(run)s)") % {"number": earlier.pk, "run": _described(earlier)}
    if not differences:
        yield "  " + _("The runs have no question in common.")
        return
    widths = (-(max(len(label(MEASURES, item.measure)) for item in differences) + 4), 8, 8, 9, 9, 0)
    yield row(widths, "", _("then"), _("now"), _("change"), "p", "   " + _("better / worse"))
    for item in differences:
        sign, change = " *" if item.significant else "  ", number(item.change, sign="+")
        figures = (number(item.before), number(item.after), change, number(item.p, 4))
        yield row(widths, f"  {label(MEASURES, item.measure)}", *figures, f"{sign} {item.better} / {item.worse}")
    common = {"n": len(earlier.scores.keys() & run.scores.keys()), "resamples": RESAMPLES}
    yield "  " + _("Questions in common: %(n)d. Paired permutation test, two-sided, %(resamples)d resamples;") % common
    level = {"level": number(LEVEL, 2)}
    yield "  " + _("* a significant difference (p < %(level)s), the others may be chance.") % level


def difference_values(item: Difference) -> dict[str, Any]:
    """A difference as JSON shows it."""
    return {
        "before": round(item.before, 4),
        "after": round(item.after, 4),
        "change": round(item.change, 4),
        "p": round(item.p, 4),
        "significant": item.significant,
        "better": item.better,
        "worse": item.worse,
        "questions": item.questions,
    }


def _described(run: EvaluationRun) -> str:
    parts = [_day(run.created), run.preset, option_words(run.options), run.version]
    return ", ".join(part for part in parts if part)


def _day(moment: datetime) -> str:
    return timezone.localtime(moment).strftime("%d.%m.%Y %H:%M")
