"""Relevance learnt from use: every night, once enough was marked, and kept only where it measures no worse.

What people said is of two kinds: marks of hit testing, which fill evaluation sets, and thumbs under answers. An answer
called helpful says that what it cites helps; one called unhelpful that the best passage found does not.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from django.utils.translation import gettext as _

from ingestion.models import EmbeddingSpace
from ingestion.selectors import active_space, readable_documents
from ingestion.types import no_progress
from knowledgetree.postgres.locks import Lock, held_over_transactions
from rag.evaluation.calibration.fitting import CalibrationReport, calibrate, inputs_for
from rag.evaluation.calibration.reliability import Reliability
from rag.evaluation.datasets.dataset_storage import stored_questions
from rag.evaluation.datasets.questions import InvalidQuestionSet, LabelledQuestion
from rag.evaluation.ranked_questions import Drawn, ask_questions, draw_questions
from rag.models import CalibrationAttempt, EvaluationDataset, Exchange, Feedback, Judgement
from rag.presets import preset
from rag.selectors import readable_exchanges
from rag.services.calibration import store_calibration

ENOUGH = 50
"""New marks and thumbs; fewer would fit the mood of an afternoon."""

_MOST = 150  # answerable questions of a set, and as many others; answers of either thumb
Outcome = CalibrationAttempt.Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """`waiting`: marks and thumbs given since relevance was last fitted; `enough` of them begin the next fit."""

    waiting: int
    enough: int = ENOUGH


def learn_relevance() -> CalibrationAttempt | None:
    """Fits the relevance of the active space on what people marked, and adopts it where held-out questions allow.

    None where there is not enough new to learn from, or another process is at it.
    """
    space = active_space()
    if space is None:
        return None
    reranker = _reranker_of(space)
    with held_over_transactions(Lock.LEARNING) as held:
        waiting = standing_of(space, reranker).waiting
        return _attempt(space, reranker, waiting) if held and waiting >= ENOUGH else None


def standing() -> Standing:
    """What stands with the space and the reranker that are used now."""
    space = active_space()
    return standing_of(space, _reranker_of(space)) if space else Standing(waiting=0)


def standing_of(space: EmbeddingSpace, reranker: str) -> Standing:
    fitted = CalibrationAttempt.objects.filter(space=space, reranker=reranker).exclude(outcome=Outcome.TOO_FEW)
    marks, thumbs = Judgement.objects.exclude(marked=None), Feedback.objects.all()
    if last := fitted.first():
        marks, thumbs = marks.filter(marked__gt=last.created), thumbs.filter(modified__gt=last.created)
    return Standing(waiting=marks.count() + thumbs.count())


def is_no_worse(before: Reliability, after: Reliability) -> bool:
    """What is predicted must come true as often as before, and tell passages apart as well."""
    return after.ece <= before.ece and after.auc >= before.auc


def marked_questions() -> list[Drawn]:
    """The questions of the sets that somebody marked in, with strangers' questions where they lack
    unanswerable ones, and those of thumbs.
    """
    marked = EvaluationDataset.objects.filter(questions__judgements__marked__isnull=False).distinct()
    drawn = [one for dataset in marked for one in _of_set(dataset)]
    return [*drawn, *_of_thumbs(Feedback.Verdict.GOOD), *_of_thumbs(Feedback.Verdict.BAD)]


def _reranker_of(space: EmbeddingSpace) -> str:
    return preset().reranker or str(space.fusion.get("reranker", "features"))


def _attempt(space: EmbeddingSpace, reranker: str, marks: int) -> CalibrationAttempt:
    asked = ask_questions(marked_questions(), space=space, reranker=reranker, progress=no_progress)
    try:
        found = calibrate(asked, inputs=inputs_for(space, reranker))
    except InvalidQuestionSet:
        CalibrationAttempt.objects.filter(space=space, reranker=reranker, outcome=Outcome.TOO_FEW).delete()
        return CalibrationAttempt.objects.create(
            space=space, reranker=reranker, outcome=Outcome.TOO_FEW, marks=marks, questions=len(asked)
        )
    adopted = is_no_worse(found.before, found.after)
    if adopted:
        _adopt(space, reranker, found)
    return CalibrationAttempt.objects.create(
        space=space,
        reranker=reranker,
        outcome=Outcome.ADOPTED if adopted else Outcome.NOT_BETTER,
        marks=marks,
        questions=found.calibration.questions,
        before=_figures(found.before),
        after=_figures(found.after),
    )


def _adopt(space: EmbeddingSpace, reranker: str, found: CalibrationReport) -> None:
    fitted_on = _("marks and thumbs, %(day)s") % {"day": timezone.localdate().isoformat()}
    calibration = replace(found.calibration, fitted_on=fitted_on, quality=_figures(found.after))
    store_calibration(space=space, reranker=reranker, calibration=calibration)


def _figures(reliability: Reliability) -> dict[str, float]:
    return {name: round(getattr(reliability, name), 4) for name in ("ece", "brier", "auc")}


def _of_set(dataset: EvaluationDataset) -> Iterable[Drawn]:
    """Where no set lends it unanswerable questions, its answerable ones alone."""
    try:
        return draw_questions([dataset], limit=_MOST, seed=0)
    except InvalidQuestionSet:
        own = [
            question for question in stored_questions(dataset) if question.answerable and question.expected_documents
        ]
        return [
            Drawn(dataset=dataset, key=f"{dataset.name}:{question.id}", question=question, answerable=True)
            for question in own[:_MOST]
        ]


def _of_thumbs(verdict: str) -> list[Drawn]:
    """The last judged answers that rest on what everyone may read, which is where they are searched."""
    given = Feedback.objects.filter(
        verdict=verdict,
        exchange__in=readable_exchanges(AnonymousUser()),
        exchange__outcome__in=("answered", "not_certain"),
    )
    exchanges = [one.exchange for one in given.select_related("exchange")[:_MOST]]
    helpful = verdict == Feedback.Verdict.GOOD
    return [drawn for exchange in exchanges if (drawn := _of_reader(exchange, helpful=helpful))]


def _of_reader(exchange: Exchange, *, helpful: bool) -> Drawn | None:
    """None where what a helpful answer cites is gone."""
    cited = readable_documents(AnonymousUser()).filter(pk__in=exchange.citations.values("document"))
    uris = tuple(cited.values_list("uri", flat=True)) if helpful else ()
    if helpful and not uris:
        return None
    text = exchange.searched or exchange.question
    question = LabelledQuestion(id=str(exchange.pk), question=text, answerable=helpful, expected_documents=uris)
    readers = EvaluationDataset(name="")  # stored nowhere: these questions stay with their readers
    return Drawn(dataset=readers, key=f"readers:{exchange.pk}", question=question, answerable=helpful)
