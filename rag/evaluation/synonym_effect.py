"""What a synonym group does to the ranking of a question set: the same questions searched without it and with it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.db import transaction

from ingestion.models import Collection, SynonymGroup
from rag.evaluation.datasets.dataset_storage import stored_questions
from rag.evaluation.datasets.questions import LabelledQuestion
from rag.evaluation.measures.significance import Difference, compare_scores
from rag.evaluation.retrieval import RetrievalOptions, RetrievalReport, measure_retrieval
from rag.models import EvaluationDataset

MEASURES = ("nDCG@10", "Recall@5", "MRR@10")
MOST_QUESTIONS = 200
_MOST_SHOWN = 5
_ORDERED_BY = MEASURES[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedQuestion:
    """nDCG@10 of one question, in [0, 1], without the group and with it."""

    text: str
    before: float
    after: float

    @property
    def change(self) -> float:
        return self.after - self.before


@dataclass(frozen=True, slots=True, kw_only=True)
class SynonymEffect:
    """`better` and `worse`: at most 5 each, the greatest change first. Without a question to measure all are empty."""

    differences: tuple[Difference, ...]
    better: tuple[ChangedQuestion, ...]
    worse: tuple[ChangedQuestion, ...]

    @property
    def questions(self) -> int:
        return max((difference.questions for difference in self.differences), default=0)


def measure_effect(group: SynonymGroup, dataset: EvaluationDataset, collection: Collection) -> SynonymEffect:
    """Searches `collection` twice for each of at most 200 questions of `dataset`; readers notice nothing."""
    questions = list(stored_questions(dataset))
    without, with_group = (_measured(group, questions, collection, enabled=enabled) for enabled in (False, True))
    by_measure = {found.measure: found for found in compare_scores(without.scores, with_group.scores)}
    changed = _changed(questions, without, with_group)
    return SynonymEffect(
        differences=tuple(by_measure[measure] for measure in MEASURES if measure in by_measure),
        better=tuple(question for question in reversed(changed) if question.change > 0)[:_MOST_SHOWN],
        worse=tuple(question for question in changed if question.change < 0)[:_MOST_SHOWN],
    )


def _measured(
    group: SynonymGroup, questions: Sequence[LabelledQuestion], collection: Collection, *, enabled: bool
) -> RetrievalReport:
    options = RetrievalOptions(limit=MOST_QUESTIONS)
    with _switch(group, enabled=enabled):
        return measure_retrieval(questions, collection=collection, options=options, progress=_no_progress)


@contextmanager
def _switch(group: SynonymGroup, *, enabled: bool) -> Iterator[None]:
    """The group on or off for this connection alone: the transaction that says so is rolled back."""
    with transaction.atomic():
        if group.enabled != enabled:  # an update would keep editors waiting for the row
            SynonymGroup.objects.filter(pk=group.pk).update(enabled=enabled)
        yield
        transaction.set_rollback(True)


def _changed(
    questions: Sequence[LabelledQuestion], without: RetrievalReport, with_group: RetrievalReport
) -> list[ChangedQuestion]:
    """The worst change first."""
    measured = [
        ChangedQuestion(
            text=question.question,
            before=without.scores[question.id][_ORDERED_BY],
            after=with_group.scores[question.id][_ORDERED_BY],
        )
        for question in questions
        if question.id in without.scores and question.id in with_group.scores
    ]
    return sorted(measured, key=lambda question: question.change)


def _no_progress(done: int, total: int) -> None:
    """A page waits for the whole."""
