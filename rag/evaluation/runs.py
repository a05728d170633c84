"""Measurements kept, and the one that a new measurement is compared with."""

from dataclasses import asdict

from django.utils.translation import gettext as _

from knowledgetree.errors import KnowledgeTreeError
from rag.evaluation.answers import AnswerReport
from rag.evaluation.everyday.outcomes import everyday_questions, stored_outcomes
from rag.evaluation.retrieval import RetrievalOptions, RetrievalReport
from rag.evaluation.version import program_version
from rag.models import EvaluationQuestion, EvaluationRun
from rag.presets import preset as preset_called


class UnknownRun(KnowledgeTreeError):
    code = "unknown_run"
    status = 404


def retrieval_run(*, dataset: str, options: RetrievalOptions, report: RetrievalReport) -> EvaluationRun:
    """Not stored yet."""
    return EvaluationRun(
        dataset=dataset,
        kind=EvaluationRun.Kind.RETRIEVAL,
        preset=preset_called(options.preset).name,
        options={
            name: value
            for name, value in asdict(options).items()
            if name not in ("preset", "trials") and value not in ("", {})
        },
        metrics={**report.metrics, "without_lexical_hit": report.without_lexical_hit / max(1, len(report.rankings))},
        scores={
            question: {measure: round(score, 6) for measure, score in scores.items()}
            for question, scores in report.scores.items()
        },
        latency=report.latency,
        questions=len(report.rankings),
        version=program_version(),
    )


def answer_run(*, dataset: str, options: RetrievalOptions, report: AnswerReport) -> EvaluationRun:
    """Not stored yet."""
    return EvaluationRun(
        dataset=dataset,
        kind=EvaluationRun.Kind.ANSWERS,
        preset=preset_called(options.preset).name,
        options={"limit": options.limit, "seed": options.seed, "judge": report.judge},
        metrics=report.figures,
        scores=report.scores,
        outcomes=stored_outcomes(everyday_questions(report.judged)),
        latency=report.latency,
        questions=len(report.judged),
        version=program_version(),
    )


def question_texts(run: EvaluationRun) -> dict[str, str]:
    """By identifier, the questions that the run's set has today."""
    stored = EvaluationQuestion.objects.filter(dataset__name=run.dataset)
    return dict(stored.values_list("external_id", "text"))


def last_run(*, dataset: str, kind: str) -> EvaluationRun | None:
    return EvaluationRun.objects.filter(dataset=dataset, kind=kind).order_by("-pk").first()


def earlier_run(*, dataset: str, kind: str, reference: str) -> EvaluationRun:
    """The run of the number `reference`, or the `last` one, if it measured this `kind` on this `dataset`.

    Raises UnknownRun, so that a measurement of many minutes need not be begun.
    """
    if reference == "last":
        found = last_run(dataset=dataset, kind=kind)
    else:
        number = int(reference) if reference.isdecimal() else 0
        found = EvaluationRun.objects.filter(dataset=dataset, kind=kind, pk=number).first()
    if found is None:
        raise UnknownRun(_("There is no earlier run to compare with: %(reference)s.") % {"reference": reference})
    return found
