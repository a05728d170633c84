"""Measurements in the background: asked for on a page, done by a worker, kept as runs."""

from dataclasses import replace
from uuid import UUID

from django.contrib.auth.models import AnonymousUser, User
from django.db import transaction
from django.utils.translation import gettext as _

from ingestion.models import Job
from ingestion.selectors import operator
from ingestion.types import BackgroundWork, Progress
from knowledgetree.components import component
from knowledgetree.errors import KnowledgeTreeError
from rag.evaluation.answers import JudgedAnswer, judge_answers
from rag.evaluation.datasets.dataset_storage import stored_questions
from rag.evaluation.datasets.questions import sampled
from rag.evaluation.resuming import KeptResults, Unwanted
from rag.evaluation.retrieval import Ranking, RetrievalOptions, drawn, measure_retrieval
from rag.evaluation.runs import answer_run, retrieval_run
from rag.evaluation.worsening import announce_if_worse
from rag.models import EvaluationDataset, EvaluationRun, Measurement
from rag.types import Answer, Metrics

_UNFINISHED = (Job.Status.QUEUED, Job.Status.RUNNING)
_Kind = EvaluationRun.Kind


class NothingToMeasure(KnowledgeTreeError):
    code = "nothing_to_measure"
    status = 400


@transaction.atomic
def start_measurement(
    *, dataset: EvaluationDataset, kind: str, user: User, preset: str = "", limit: int = 0
) -> Measurement:
    """Have `dataset` measured by a worker; the same measurement that waits or runs already is not begun twice.

    Raises NothingToMeasure where no question of the set can be put.
    """
    dataset = EvaluationDataset.objects.select_for_update(of=("self",)).get(pk=dataset.pk)
    wanted = {"dataset": dataset, "kind": kind, "preset": preset, "limit": limit}
    if same := Measurement.objects.filter(**wanted, job__status__in=_UNFINISHED).first():
        return same
    check(dataset, kind)
    job = Job.objects.create(kind=Job.Kind.MEASUREMENT, collection=dataset.collection)
    background: BackgroundWork = component("background", "queue")
    background.enqueue(job.pk)
    return Measurement.objects.create(**wanted, job=job, user=user)


def check(dataset: EvaluationDataset, kind: str) -> None:
    """Raises NothingToMeasure, saying what is missing."""
    questions = list(stored_questions(dataset))
    if not questions:
        raise NothingToMeasure(
            _("The set “%(name)s” has no questions yet.") % {"name": dataset},
            remedy=_("Add some, import a file, or take over real questions from the list of questions."),
        )
    if kind == _Kind.ANSWERS:
        return
    if dataset.collection is None:
        raise NothingToMeasure(
            _("Retrieval alone is measured in a collection, and the set “%(name)s” has none.") % {"name": dataset},
            remedy=_("Choose a collection for it, or measure whole answers."),
        )
    if not drawn(questions, RetrievalOptions()):
        raise NothingToMeasure(
            _("No question of the set “%(name)s” says which documents answer it.") % {"name": dataset},
            remedy=_("Mark documents on the hit-testing page, or measure whole answers."),
        )


class MeasurementJob:
    """What the worker does for a job of the kind `measurement` (`ingestion.types.OutsideJob`)."""

    def run(self, job: UUID, progress: Progress) -> bool:
        """The run is stored with the measurement's link to it, in one piece: a killed worker leaves none by half.

        What it had measured is not measured again. False where nobody wants it any more. Raises NothingToMeasure.
        """
        measurement = Measurement.objects.select_related("dataset__collection").filter(job=job).first()
        if measurement is None:
            return False
        if measurement.run_id is None:
            check(measurement.dataset, measurement.kind)
            try:
                _keep(measurement, _measured(measurement, progress))
            except Unwanted:
                return False
        return True


def _measured(measurement: Measurement, progress: Progress) -> EvaluationRun:
    dataset = measurement.dataset
    options = RetrievalOptions(preset=measurement.preset, limit=measurement.limit)
    questions = list(stored_questions(dataset))
    if measurement.kind == _Kind.RETRIEVAL and dataset.collection:
        found = measure_retrieval(
            questions,
            collection=dataset.collection,
            options=options,
            progress=progress,
            result_of=KeptResults(measurement, Ranking),
        )
        return retrieval_run(dataset=dataset.name, options=options, report=found)
    answered = judge_answers(
        sampled(questions, limit=options.limit, seed=options.seed),
        viewer=operator() if dataset.collection else AnonymousUser(),
        preset=options.preset,
        collection=dataset.collection,
        progress=progress,
        result_of=KeptResults(measurement, JudgedAnswer, kept=_figures),
    )
    return answer_run(dataset=dataset.name, options=options, report=answered)


def _figures(item: JudgedAnswer) -> JudgedAnswer:
    """All that a run is made of: the words of an answer are those of documents, which may be erased."""
    answer = item.answer
    bare = Answer(
        question="",
        text="",
        outcome=answer.outcome,
        confidence=answer.confidence,
        metrics=Metrics(latency=answer.metrics.latency),
    )
    return replace(item, answer=bare)


@transaction.atomic
def _keep(measurement: Measurement, run: EvaluationRun) -> None:
    """Unless it was kept by another worker meanwhile, or the set is gone."""
    wanted = Measurement.objects.select_for_update().filter(pk=measurement.pk, run=None).first()
    if wanted is None:
        return
    run.save()
    announce_if_worse(run)
    wanted.run = run
    wanted.save(update_fields=["run"])
    wanted.measured.all().delete()
