"""What a run came to, for commands and pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from rag.evaluation.labels import MEASURES, label
from rag.evaluation.measures.intervals import Estimate, estimates
from rag.evaluation.measures.significance import LEVEL, Difference
from rag.models import EvaluationQuestion, EvaluationRun

MAIN = ("nDCG@10", "correctness", "relevance")
"""The first of these means that a run has stands for it."""

WORST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """A measure with its words and its 95 % interval."""

    name: str
    estimate: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Weak:
    """A question with its score; `question` None: it is in the set no more."""

    key: str
    score: float
    question: EvaluationQuestion | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """A measure of both runs. `same` counts questions with equal scores, `verdict` says it in words."""

    name: str
    difference: Difference
    same: int
    verdict: str


def main_measure(metrics: Mapping[str, float]) -> str:
    """Its name; "" for a run that has none of MAIN."""
    return next((measure for measure in MAIN if measure in metrics), "")


def main_result(metrics: Mapping[str, float] | None) -> str:
    """As "nDCG@10 0.812", "–" where there is no main measure."""
    measure = main_measure(metrics or {})
    return f"{label(MEASURES, measure)} {number_format(metrics[measure], 3)}" if metrics and measure else "–"


def measured(run: EvaluationRun) -> list[Measured]:
    return [Measured(name=label(MEASURES, one.measure), estimate=one) for one in estimates(run.scores)]


def weakest(run: EvaluationRun) -> list[Weak]:
    """At most 20 questions, the lowest score first; of those without the main measure the mean of theirs counts."""
    measure = main_measure(run.metrics)
    scored = [
        (scores.get(measure, sum(scores.values()) / len(scores)), key) for key, scores in run.scores.items() if scores
    ]
    return linked(run, [(key, score) for score, key in sorted(scored)[:WORST]])


def linked(run: EvaluationRun, scores: list[tuple[str, float]]) -> list[Weak]:
    """The questions of (key, score), in their order."""
    stored = EvaluationQuestion.objects.filter(
        dataset__name=run.dataset, external_id__in=[key for key, _score in scores]
    ).select_related("dataset")
    known = {question.external_id: question for question in stored}
    return [Weak(key=key, score=score, question=known.get(key)) for key, score in scores]


def compared(one: Difference) -> Compared:
    return Compared(
        name=label(MEASURES, one.measure),
        difference=one,
        same=one.questions - one.better - one.worse,
        verdict=verdict(one),
    )


def verdict(one: Difference) -> str:
    """Whether the later run is better, for people who know no statistics."""
    if not one.better and not one.worse:
        return _("No difference on any question.")
    if not one.significant:
        return _("The difference is not significant: it may be chance.")
    said = {"p": number_format(one.p, 4), "level": number_format(LEVEL, 2)}
    if one.change > 0:
        return _("The later run is better; that is hardly chance (p = %(p)s, below %(level)s).") % said
    return _("The later run is worse; that is hardly chance (p = %(p)s, below %(level)s).") % said


def score_changes(before: EvaluationRun, after: EvaluationRun, measure: str) -> Sequence[tuple[str, float]]:
    """(question, change of the measure), the greatest loss first; those that changed alone."""
    found = [
        (key, scores[measure] - before.scores[key][measure])
        for key, scores in after.scores.items()
        if measure in scores and measure in before.scores.get(key, {})
    ]
    return sorted(((key, change) for key, change in found if change), key=lambda item: item[1])
