"""What a measurement came to, for lists and pages."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.formats import number_format

from rag.evaluation.labels import MEASURES, label
from rag.evaluation.measures.intervals import Estimate, estimates
from rag.models import EvaluationDataset, EvaluationQuestion, EvaluationRun
from rag.selectors import visible_runs

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


def with_last_run(datasets: QuerySet[EvaluationDataset], user: User | AnonymousUser) -> QuerySet[EvaluationDataset]:
    """Annotated with `run_pk` and `run_metrics` of the newest run that `user` may see, None where there is none."""
    newest = visible_runs(user).filter(dataset=OuterRef("name")).order_by("-pk")
    return datasets.annotate(
        run_pk=Subquery(newest.values("pk")[:1]), run_metrics=Subquery(newest.values("metrics")[:1])
    )


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
        dataset__name=run.dataset, external_id__in=[key for key, _ in scores]
    ).select_related("dataset")
    known = {question.external_id: question for question in stored}
    return [Weak(key=key, score=score, question=known.get(key)) for key, score in scores]
