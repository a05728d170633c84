"""A measurement, or two of them compared, as one HTML page that needs nothing else and prints well."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from knowledgetree.console import number
from rag.evaluation.everyday.outcomes import read_outcomes
from rag.evaluation.everyday.page import EverydayPage, everyday_page
from rag.evaluation.everyday.report import EverydayReport
from rag.evaluation.labels import option_words
from rag.evaluation.measures.significance import Difference, compare_scores
from rag.evaluation.pages.charts import BarRow, Diagram, MeasuredChart, bar_chart, latency_chart, reliability_diagram
from rag.evaluation.run_results import compared, main_measure, measured, score_changes, weakest
from rag.models import EvaluationQuestion, EvaluationRun

_MOST_QUESTIONS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingRow:
    """How the run was made, and how the earlier one was; `differs` where that is not the same."""

    name: str
    after: str
    before: str = ""
    differs: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportedQuestion:
    """A question with what it came to. `answer`: "" where it is not at hand."""

    text: str
    before: str
    after: str
    expected: str
    answer: str


def comparable(before: EvaluationRun, after: EvaluationRun) -> bool:
    """Whether both measure the same of the same set."""
    return (before.dataset, before.kind) == (after.dataset, after.kind)


def run_page(
    run: EvaluationRun, before: EvaluationRun | None = None, *, answers: Mapping[str, str] | None = None
) -> str:
    """The page in the reader's language. `before` is `comparable`, an earlier run that `run` is shown against.

    `answers`, by the question's identifier, are those that were just given: a run keeps none, for their words are
    those of documents, which may be erased.
    """
    everyday = everyday_page(run, before)
    differences = compare_scores(before.scores, run.scores) if before else ()
    told = _Questions(run, answers or {})
    worse, better = told.changed(before, everyday)
    return render_to_string(
        "evaluation/run.html",
        {
            "run": run,
            "before": before,
            "made": timezone.localtime(),
            "settings": _settings(run, before),
            "everyday": everyday,
            "charts": [_measures_chart(run, differences), *([latency_chart(run.latency)] if run.latency else [])],
            "compared": [compared(one) for one in differences],
            "diagrams": list(_diagrams(run, before)),
            "worse": worse,
            "better": better,
            "weakest": [] if before else told.weakest(),
            "answers": answers,
        },
    )


class _Questions:
    """The questions of a run in words, as its set has them today."""

    def __init__(self, run: EvaluationRun, answers: Mapping[str, str]) -> None:
        stored = EvaluationQuestion.objects.filter(dataset__name=run.dataset)
        self._run, self._answers = run, answers
        self._stored = {one.external_id: one for one in stored}

    def changed(
        self, before: EvaluationRun | None, everyday: EverydayPage | None
    ) -> tuple[list[ReportedQuestion], list[ReportedQuestion]]:
        """Worse, better; by what they came to where that is known, else by the score that stands for the run."""
        if before and everyday and everyday.earlier:
            worse, better = (
                [self._told(one.key, one.before, one.after) for one in changes[:_MOST_QUESTIONS]]
                for changes in (everyday.worse, everyday.better)
            )
            return worse, better
        measure = main_measure(self._run.metrics)
        if not before or not measure:
            return [], []
        changes = score_changes(before, self._run, measure)
        return (
            [self._scored(key, before, measure) for key, change in changes if change < 0][:_MOST_QUESTIONS],
            [self._scored(key, before, measure) for key, change in reversed(changes) if change > 0][:_MOST_QUESTIONS],
        )

    def weakest(self) -> list[ReportedQuestion]:
        return [self._told(one.key, "", number(one.score, 2)) for one in weakest(self._run)]

    def _scored(self, key: str, before: EvaluationRun, measure: str) -> ReportedQuestion:
        return self._told(key, number(before.scores[key][measure], 2), number(self._run.scores[key][measure], 2))

    def _told(self, key: str, before: str, after: str) -> ReportedQuestion:
        """By its identifier where it is in the set no more."""
        known = self._stored.get(key)
        return ReportedQuestion(
            text=known.text if known else key,
            before=before,
            after=after,
            expected=(known.expected_answer or "; ".join(known.expected_answer_contains)) if known else "",
            answer=self._answers.get(key, ""),
        )


def _settings(run: EvaluationRun, before: EvaluationRun | None) -> list[SettingRow]:
    earlier = dict(_made_with(before)) if before else {}
    return [
        SettingRow(
            name=name, after=value, before=earlier.get(name, ""), differs=bool(before) and earlier[name] != value
        )
        for name, value in _made_with(run)
    ]


def _made_with(run: EvaluationRun) -> Iterator[tuple[str, str]]:
    options = run.options
    yield _("Preset"), run.preset
    yield _("Assistant"), str(options.get("assistant") or "–")
    yield _("Parts of the preset"), _parts(options.get("parts") or {})
    yield _("Embedding space"), str(options.get("space") or _("the one in force"))
    yield _("Manner of asking"), option_words(options) or "–"
    yield _("Drawn by"), str(options.get("seed") or 0) if options.get("limit") else "–"
    yield _("Grades of the model"), str(options.get("judge") or "–")
    yield _("Questions"), str(run.questions)
    yield _("Version of the program"), run.version or _("unknown")
    made = timezone.localtime(run.created) if run.pk else timezone.localtime()
    yield _("Measured"), date_format(made, "SHORT_DATETIME_FORMAT")


def _parts(parts: Mapping[str, object]) -> str:
    return ", ".join(f"{name} = {value}" for name, value in sorted(parts.items())) or "–"


def _measures_chart(run: EvaluationRun, differences: Sequence[Difference]) -> MeasuredChart:
    """Means with their intervals; of the earlier run those of the questions that both have."""
    earlier = {one.measure: one.before for one in differences}
    rows = []
    for one in measured(run):
        estimate = one.estimate
        figures = f"{number(estimate.mean)} ({number(estimate.low)}–{number(estimate.high)})"
        if (was := earlier.get(estimate.measure)) is not None:
            figures = _("%(figures)s, earlier %(was)s") % {"figures": figures, "was": number(was)}
        rows.append(BarRow(label=one.name, value=estimate.mean, figures=figures, mark=was))
    return bar_chart(_("Measures, with their 95% intervals"), "", rows, most=1.0)


def _diagrams(run: EvaluationRun, before: EvaluationRun | None) -> Iterator[Diagram]:
    """Whether the confidence shown can be believed; one for each run that gave answers."""
    for title, one in ((_("Earlier"), before), (_("Later") if before else _("Confidence"), run)):
        report = EverydayReport(asked=tuple(read_outcomes(one.outcomes).values())) if one else None
        if report and report.answered:
            yield reliability_diagram(
                title, report.bins, across=_("confidence shown"), upwards=_("share of right answers")
            )
