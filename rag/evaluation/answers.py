"""Answers against labels, by rules: the right document near the top, the expected words, a refusal where due."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ingestion.models.sources import Viewer
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

    @property
    def refused(self) -> bool:
        return self.answer.outcome == "not_found"


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
        return sum(item.document_rank is not None and item.document_rank <= TOP for item in self.answerable)

    @property
    def answers_with_expected(self) -> int:
        return sum(item.contains_expected and not item.refused for item in self.answerable)

    @property
    def right_refusals(self) -> int:
        return sum(item.refused for item in self.unanswerable)

    @property
    def wrong_refusals(self) -> int:
        return sum(item.refused for item in self.answerable)


def judge_answers(questions: Iterable[LabelledQuestion], *, viewer: Viewer, preset: str = "") -> AnswerReport:
    """Ask every question as `viewer`, storing nothing."""
    return AnswerReport(judged=tuple(_judge(question, viewer, preset) for question in questions))


def _judge(question: LabelledQuestion, viewer: Viewer, preset: str) -> JudgedAnswer:
    answer = answer_question(question.question, viewer=viewer, preset=preset, save=False)
    text = _plain(answer.text)
    return JudgedAnswer(
        question=question,
        answer=answer,
        document_rank=_rank([passage.uri for passage in answer.passages], question.expected_documents),
        contains_expected=all(_plain(words) in text for words in question.expected_answer_contains),
    )


def _rank(uris: Sequence[str], expected: Sequence[str]) -> int | None:
    distinct = list(dict.fromkeys(uris))
    return next((rank for rank, uri in enumerate(distinct, start=1) if uri in expected), None)


def _plain(text: str) -> str:
    return " ".join(text.replace("\u00a0", " ").lower().split())
