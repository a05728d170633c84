"""Measurements kept, and the one that a new measurement is compared with."""

from dataclasses import asdict

from django.utils.translation import gettext as _

from knowledgetree.errors import KnowledgeTreeError
from rag.evaluation.answers import AnswerReport
from rag.evaluation.retrieval import RetrievalOptions, RetrievalReport
from rag.evaluation.version import program_version
from rag.models import EvaluationRun
from rag.presets import preset as preset_called


class UnknownRun(KnowledgeTreeError):
    code = "unknown_run"
    status = 404


def store_retrieval_run(*, dataset: str, options: RetrievalOptions, report: RetrievalReport) -> EvaluationRun:
    return EvaluationRun.objects.create(
        dataset=dataset,
        kind=EvaluationRun.Kind.RETRIEVAL,
        preset=preset_called(options.preset).name,
        options={name: value for name, value in asdict(options).items() if name != "preset" and value != ""},
        metrics={**report.metrics, "without_lexical_hit": report.without_lexical_hit / max(1, len(report.rankings))},
        scores={
            question: {measure: round(score, 6) for measure, score in scores.items()}
            for question, scores in report.scores.items()
        },
        latency=report.latency,
        questions=len(report.rankings),
        version=program_version(),
    )


def store_answer_run(*, dataset: str, preset: str, report: AnswerReport) -> EvaluationRun:
    return EvaluationRun.objects.create(
        dataset=dataset,
        kind=EvaluationRun.Kind.ANSWERS,
        preset=preset_called(preset).name,
        metrics=report.figures,
        scores=report.scores,
        latency=report.latency,
        questions=len(report.judged),
        version=program_version(),
    )


def earlier_run(*, dataset: str, kind: str, reference: str) -> EvaluationRun:
    """The run of the number `reference`, or the `last` one, if it measured this `kind` on this `dataset`.

    Raises UnknownRun, so that a measurement of many minutes need not be begun.
    """
    alike = EvaluationRun.objects.filter(dataset=dataset, kind=kind)
    if reference == "last":
        found = alike.order_by("-pk").first()
    else:
        found = alike.filter(pk=int(reference)).first() if reference.isdecimal() else None
    if found is None:
        raise UnknownRun(_("There is no earlier run to compare with: %(reference)s.") % {"reference": reference})
    return found
