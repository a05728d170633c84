"""Answers against labels, by rules: the right document near the top, the expected words, a refusal where due."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ingestion.models.sources import Viewer
from rag.evaluation.latency import TOTAL, Latency, percentiles
from rag.evaluation.questions import LabelledQuestion
from rag.services.ask import answer_question
from rag.types import Answer

TOP = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedAnswer:
    """`document_rank` counts from 1 over distinct documents; None: not among the passages."""

    question: LabelledQuestion
    answer: Answer
    document_rank: int | None
    contains_expected: bool
    seconds: float = 0.0

    @property
    def refused(self) -> bool:
        return self.answer.outcome == "not_found"

    @property
    def in_top(self) -> bool:
        return self.document_rank is not None and self.document_rank <= TOP

    @property
    def scores(self) -> dict[str, float]:
        """Of what the question can show: 1 for what is right, 0 for what is not."""
        if not self.question.answerable:
            return {"right_refusals": float(self.refused)}
        return {
            "documents_in_top_3": float(self.in_top),
            "answers_with_expected_words": float(self.contains_expected and not self.refused),
            "answers_without_refusal": float(not self.refused),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerReport:
    """Counts over a question set."""

    judged: tuple[JudgedAnswer, ...]

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
    def answers_with_expected(self) -> int:
        return sum(item.contains_expected and not item.refused for item in self.answerable)

    @property
    def right_refusals(self) -> int:
        return sum(item.refused for item in self.unanswerable)

    @property
    def wrong_refusals(self) -> int:
        return sum(item.refused for item in self.answerable)

    @property
    def figures(self) -> dict[str, int]:
        return {
            "answerable": len(self.answerable),
            "documents_in_top_3": self.documents_in_top,
            "answers_with_expected_words": self.answers_with_expected,
            "wrong_refusals": self.wrong_refusals,
            "unanswerable": len(self.unanswerable),
            "right_refusals": self.right_refusals,
        }

    @property
    def scores(self) -> dict[str, dict[str, float]]:
        return {item.question.id: item.scores for item in self.judged}

    @property
    def latency(self) -> Latency:
        return percentiles({**item.answer.metrics.latency, TOTAL: item.seconds * 1000} for item in self.judged)


def judge_answers(
    questions: Sequence[LabelledQuestion],
    *,
    viewer: Viewer,
    preset: str = "",
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> AnswerReport:
    """Ask every question as `viewer`, storing nothing; `progress` is called with (done, total)."""
    judged = []
    for done, question in enumerate(questions, start=1):
        judged.append(_judge(question, viewer, preset))
        progress(done, len(questions))
    return AnswerReport(judged=tuple(judged))


def _judge(question: LabelledQuestion, viewer: Viewer, preset: str) -> JudgedAnswer:
    started = time.perf_counter()
    answer = answer_question(question.question, viewer=viewer, preset=preset, save=False)
    seconds = time.perf_counter() - started
    text = _plain(answer.text)
    return JudgedAnswer(
        question=question,
        answer=answer,
        document_rank=_rank([passage.uri for passage in answer.passages], question.expected_documents),
        contains_expected=all(_plain(words) in text for words in question.expected_answer_contains),
        seconds=seconds,
    )


def _rank(uris: Sequence[str], expected: Sequence[str]) -> int | None:
    distinct = list(dict.fromkeys(uris))
    return next((rank for rank, uri in enumerate(distinct, start=1) if uri in expected), None)


def _plain(text: str) -> str:
    return " ".join(text.replace("\u00a0", " ").lower().split())
