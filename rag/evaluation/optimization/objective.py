"""What is to be made higher: a measure of how questions are served, of each question."""

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import AnonymousUser

from ingestion.models import Collection
from ingestion.selectors import operator, trying
from rag.evaluation.answers import judge_answers
from rag.evaluation.datasets.questions import LabelledQuestion
from rag.evaluation.everyday.outcomes import everyday_questions
from rag.evaluation.measures.ranking import MEASURES
from rag.evaluation.retrieval import RetrievalOptions, drawn, measure_retrieval
from rag.models import EvaluationRun, Optimization

SERVED = "served"
"""Of whole answers: 1 for a question that is answered right or rightly refused, a half for doubt in its place."""

KNOWN = (SERVED, *MEASURES)

Progress = Callable[[int, int], None]


class Objective:
    """Asks the questions of an optimisation with parts that it tries."""

    def __init__(self, optimization: Optimization) -> None:
        self._dataset, self._measure = optimization.dataset, optimization.measure
        self._assistant = optimization.assistant.slug if optimization.assistant else ""
        self._preset = "" if self._assistant else optimization.preset

    def usable(self, questions: Sequence[LabelledQuestion]) -> list[LabelledQuestion]:
        """Those that the measure says something of."""
        if kind_of(self._measure) == EvaluationRun.Kind.RETRIEVAL:
            return drawn(questions, RetrievalOptions())
        return [question for question in questions if not question.answerable or question.expected_answer_contains]

    def scores(
        self,
        questions: Sequence[LabelledQuestion],
        parts: Mapping[str, Any],
        progress: Progress,
        copies: Sequence[Collection] = (),
    ) -> dict[str, float]:
        """By question, in [0, 1]. `copies`, split on trial, are searched in place of their originals.

        Rankings are of documents by their addresses, and answers are judged by their words: no measure knows chunks.
        """
        if kind_of(self._measure) == EvaluationRun.Kind.RETRIEVAL:
            options = RetrievalOptions(
                preset=self._preset, assistant=self._assistant, parts=parts, trials=tuple(copies)
            )
            report = measure_retrieval(
                questions, collection=self._dataset.collection, options=options, progress=progress
            )
            return {question: scores[self._measure] for question, scores in report.scores.items()}
        answered = judge_answers(
            questions,
            viewer=trying(operator() if self._dataset.collection else AnonymousUser(), copies),
            collection=self._dataset.collection,
            preset=self._preset,
            assistant=self._assistant,
            parts=parts,
            progress=progress,
        )
        return {key: question.worth for key, question in everyday_questions(answered.judged).items()}


def kind_of(measure: str) -> EvaluationRun.Kind:
    return EvaluationRun.Kind.ANSWERS if measure == SERVED else EvaluationRun.Kind.RETRIEVAL


def halves(questions: Sequence[LabelledQuestion]) -> tuple[list[LabelledQuestion], list[LabelledQuestion]]:
    """One to search on and one held out: every other question of each kind, in an order that says nothing of them."""
    ordered = sorted(questions, key=lambda one: (one.answerable, one.kind, sha256(one.id.encode()).digest()))
    return ordered[::2], ordered[1::2]
