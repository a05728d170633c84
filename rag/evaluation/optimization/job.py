"""Optimisations in the background, and what is done with a proven gain."""

from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext as _

from ingestion.models import Job
from ingestion.types import BackgroundWork, Progress
from knowledgetree.components import component
from knowledgetree.errors import KnowledgeTreeError
from rag.evaluation.measuring import check
from rag.evaluation.optimization.copies import chunking_in_force, chunking_trials, collections_asked
from rag.evaluation.optimization.objective import kind_of
from rag.evaluation.optimization.result import Optimum, read_optimum
from rag.evaluation.optimization.search import Search, check_optimizer, usable_questions
from rag.evaluation.optimization.tried_parts import preset_in_force
from rag.evaluation.resuming import Unwanted
from rag.models import Assistant, EvaluationDataset, EvaluationRun, Optimization
from rag.services.choice import save_assistant

LONGEST = 25 * 60
"""Seconds of a search in the background: a job may take half an hour."""

_UNFINISHED = (Job.Status.QUEUED, Job.Status.RUNNING)


class CostsMoney(KnowledgeTreeError):
    code = "costs_money"
    status = 400


class NotWritten(KnowledgeTreeError):
    code = "not_written"
    status = 409


@transaction.atomic
def start_optimization(wanted: Optimization, *, user: User | None) -> Optimization:
    """Have a worker search; the same search that waits or runs already is not begun twice.

    Raises NothingToMeasure, TooFewQuestions, CostsMoney and OptimizerMissing.
    """
    dataset = EvaluationDataset.objects.select_for_update(of=("self",)).get(pk=wanted.dataset_id)
    check_optimization(wanted)
    same = Optimization.objects.filter(
        dataset=dataset,
        measure=wanted.measure,
        preset=wanted.preset,
        assistant=wanted.assistant,
        tries=wanted.tries,
        job__status__in=_UNFINISHED,
    ).first()
    if same:
        return same
    wanted.job = Job.objects.create(kind=Job.Kind.OPTIMIZATION, collection=dataset.collection)
    wanted.user = user
    background: BackgroundWork = component("background", "queue")
    background.enqueue(wanted.job.pk)
    wanted.save()
    return wanted


def check_optimization(wanted: Optimization, *, may_cost: bool = False) -> None:
    """Raises NothingToMeasure, TooFewQuestions, OptimizerMissing, and CostsMoney unless it `may_cost`."""
    check_optimizer()
    check(wanted.dataset, kind_of(wanted.measure))
    usable_questions(wanted)
    preset = preset_in_force(wanted)
    if wanted.tries == Optimization.Tries.CHUNKING:
        chunking_in_force(wanted)
    answers = kind_of(wanted.measure) == EvaluationRun.Kind.ANSWERS
    if not may_cost and (preset.asks_model if answers else preset.search_asks_model):
        raise CostsMoney(
            _("The preset “%(name)s” asks a language model, each time that the questions are asked with other parts.")
            % {"name": preset.name},
            remedy=_("Choose a measure of retrieval, or a preset without a model such as “offline”."),
        )


@transaction.atomic
def write_parts(optimization: Optimization) -> Assistant:
    """Give the assistant what was found. Raises NotWritten without a proven gain, and where it was changed since."""
    optimum = _proven(optimization, Optimization.Tries.PARTS)
    named = Assistant.objects.select_for_update()
    assistant = named.filter(pk=optimization.assistant_id).first() if optimization.assistant_id else None
    if assistant is None:
        raise NotWritten(
            _("The search was not for an assistant."), remedy=_("Copy the parts into the settings, as the report says.")
        )
    if assistant.parts != optimization.parts or assistant.preset_name != optimization.preset:
        raise NotWritten(
            _("The assistant “%(name)s” was changed since the search began.") % {"name": assistant},
            remedy=_("Search again: what was found belongs to how it was."),
        )
    assistant.parts = {**assistant.parts, **optimum.parts}
    return save_assistant(assistant=assistant)


def change_chunking(optimization: Optimization) -> int:
    """Have the documents themselves split as was found, while they serve; the key of the change. The set guards it
    where its rankings were what was measured: a worse one is put back.

    Raises NotWritten without a proven gain and where the chunking was changed since, and what the change raises.
    """
    optimum = _proven(optimization, Optimization.Tries.CHUNKING)
    if chunking_in_force(optimization) != optimization.chunking:
        raise NotWritten(
            _("The documents have been split in another way since the search began."),
            remedy=_("Search again: what was found belongs to how it was."),
        )
    guards = kind_of(optimization.measure) == EvaluationRun.Kind.RETRIEVAL
    gate = optimization.dataset.name if guards else ""
    return chunking_trials().change(collections_asked(optimization), optimum.parts, gate=gate)


def _proven(optimization: Optimization, tries: Optimization.Tries) -> Optimum:
    """Raises NotWritten."""
    optimum = read_optimum(optimization.result)
    if optimum is None or not optimum.proven or optimization.tries != tries:
        raise NotWritten(
            _("No gain is proven on questions that were held out."),
            remedy=_("Add questions and search again, or for longer."),
        )
    return optimum


class OptimizationJob:
    """What the worker does for a job of the kind `optimization` (`ingestion.types.OutsideJob`)."""

    def run(self, job: UUID, progress: Progress) -> bool:
        """A killed worker's search goes on where it was. False where nobody wants it any more."""
        optimization = Optimization.objects.select_related("dataset__collection", "assistant").filter(job=job).first()
        if optimization is None:
            return False
        if not optimization.result:
            try:
                Search(optimization, progress=progress).run()
            except Unwanted:
                return False
        return True
