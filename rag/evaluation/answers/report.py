"""What answers to a question set came to."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from rag.evaluation.answers.answer_measures import REFUSED
from rag.evaluation.answers.judge import JudgeOpinion
from rag.evaluation.calibration.reliability import roc_auc
from rag.evaluation.datasets.questions import LabelledQuestion
from rag.evaluation.measures.latency import TOTAL, Latency, percentiles
from rag.evaluation.measures.ranking import Scores, means
from rag.types import Answer, Tokens

TOP = 3
JUDGE = "judge_"
"""What the names of a language model's measures begin with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedAnswer:
    """`document_rank` counts from 1 over distinct documents; None: not among the passages.

    `contains_expected` None: no words are expected. `measures` as in
    `rag.evaluation.answers.answer_measures`; `opinion` None:
    no model was asked, or it failed.
    """

    question: LabelledQuestion
    answer: Answer
    document_rank: int | None
    contains_expected: bool | None
    measures: Mapping[str, float] = field(default_factory=dict)
    opinion: JudgeOpinion | None = None
    seconds: float = 0.0

    @property
    def refused(self) -> bool:
        return self.answer.outcome == REFUSED

    @property
    def doubted(self) -> bool:
        """Shown as the nearest passages, which is neither an answer nor a refusal."""
        return self.answer.outcome == "not_certain"

    @property
    def in_top(self) -> bool:
        return self.document_rank is not None and self.document_rank <= TOP

    @property
    def has_expected(self) -> bool:
        return bool(self.contains_expected) and not (self.refused or self.doubted)

    @property
    def graded(self) -> dict[str, float]:
        """The measures, and the grades of the model under names of their own."""
        grades = self.opinion.scores if self.opinion else {}
        return {**self.measures, **{f"{JUDGE}{category}": score for category, score in grades.items()}}

    @property
    def scores(self) -> dict[str, float]:
        """Scores of what the question can show: 1 for what is right, 0 for what is not, and the measures in between."""
        if not self.question.answerable:
            return {"right_refusals": float(self.refused)}
        words = {} if self.contains_expected is None else {"answers_with_expected_words": float(self.has_expected)}
        places = {"documents_in_top_3": float(self.in_top)} if self.question.expected_documents else {}
        return {**places, **words, "answers_without_refusal": float(not self.refused), **self.graded}


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerReport:
    """Counts over a question set. `judge` names the model that judged, "" for none; on `unjudged` answers it failed."""

    judged: tuple[JudgedAnswer, ...]
    judge: str = ""
    unjudged: int = 0

    @property
    def answerable(self) -> list[JudgedAnswer]:
        return [item for item in self.judged if item.question.answerable]

    @property
    def unanswerable(self) -> list[JudgedAnswer]:
        return [item for item in self.judged if not item.question.answerable]

    @property
    def documents_in_top(self) -> int:
        return sum(item.in_top for item in self.answerable)

    @property
    def with_expected_words(self) -> list[JudgedAnswer]:
        """Those whose labels say which words the answer must contain."""
        return [item for item in self.answerable if item.contains_expected is not None]

    @property
    def answers_with_expected(self) -> int:
        return sum(item.has_expected for item in self.with_expected_words)

    @property
    def right_refusals(self) -> int:
        return sum(item.refused for item in self.unanswerable)

    @property
    def wrong_refusals(self) -> int:
        return sum(item.refused for item in self.answerable)

    @property
    def doubted(self) -> int:
        return sum(item.doubted for item in self.judged)

    @property
    def confidence_auc(self) -> float | None:
        """The chance that a question with an answer is answered with more confidence than one without.

        0.5: confidence tells nothing. None: the set has only one kind.
        """
        if not self.answerable or not self.unanswerable:
            return None
        confidences = np.array([item.answer.confidence for item in self.judged])
        return roc_auc(confidences, np.array([item.question.answerable for item in self.judged]))

    @property
    def judge_usage(self) -> Tokens:
        return sum((item.opinion.usage for item in self.judged if item.opinion), start=Tokens())

    @property
    def worst(self) -> list[JudgedAnswer]:
        """The answers in the order of their mean score, the lowest first."""
        return sorted(self.judged, key=lambda item: sum(item.scores.values()) / len(item.scores))

    @property
    def figures(self) -> dict[str, float]:
        """Counts, then the mean of each measure."""
        auc = self.confidence_auc
        return {
            "answerable": len(self.answerable),
            "documents_in_top_3": self.documents_in_top,
            "answers_with_expected_words": self.answers_with_expected,
            "wrong_refusals": self.wrong_refusals,
            "unanswerable": len(self.unanswerable),
            "right_refusals": self.right_refusals,
            "not_certain": self.doubted,
            **({} if auc is None else {"confidence_auc": round(auc, 6)}),
            **{measure: round(mean, 6) for measure, mean in means(self.graded).items()},
        }

    @property
    def scores(self) -> Scores:
        return {
            item.question.id: {measure: round(score, 6) for measure, score in item.scores.items()}
            for item in self.judged
        }

    @property
    def latency(self) -> Latency:
        return percentiles({**item.answer.metrics.latency, TOTAL: item.seconds * 1000} for item in self.judged)

    @property
    def graded(self) -> Scores:
        """The measures that are no plain counts, by question."""
        return {item.question.id: item.graded for item in self.judged}
