"""A language model as the judge of an answer (Zheng et al. 2023, "Judging LLM-as-a-Judge with MT-Bench").

It sees one answer, never two beside each other, and always in the same place, so that no place is favoured.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel, Field

from ingestion.text.token_size import CHARACTERS_PER_TOKEN
from knowledgetree.postgres.connections import release_connections
from rag.evaluation.answers.wording import without_markers
from rag.evaluation.datasets.questions import LabelledQuestion
from rag.llm.prompts import render
from rag.llm.prompts.untrusted import neutralise
from rag.llm.protocol import LanguageModel
from rag.types import Answer, Passage, Tokens

CATEGORIES = ("relevance", "correctness", "completeness", "coherence", "faithfulness")
_TOKENS = 400  # five grades and a sentence, in a language that takes many tokens a word
_REASON = 400  # characters kept


class AnswerGrades(BaseModel):
    """Each from 1, bad, to 5, very good; `reason` in Polish."""

    relevance: int = Field(ge=1, le=5)
    correctness: int = Field(ge=1, le=5)
    completeness: int = Field(ge=1, le=5)
    coherence: int = Field(ge=1, le=5)
    faithfulness: int = Field(ge=1, le=5)
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOpinion:
    """`scores` in [0, 1] by category: (grade - 1) / 4. `reason` is the model's, untrusted text."""

    scores: Mapping[str, float]
    reason: str = ""
    usage: Tokens = field(default_factory=Tokens)


class AnswerJudge:
    """Grades answers by what their passages say. `source_tokens` of passages are shown (estimated), best first.

    `timeout` in seconds bounds a judgement. No temperature is set: newer models refuse any but their own.
    """

    def __init__(self, llm: LanguageModel, *, timeout: float = 60.0, source_tokens: int = 4000) -> None:
        self.model = llm.name
        self._llm = llm
        self._timeout = timeout
        self._characters = source_tokens * CHARACTERS_PER_TOKEN

    def judge(self, question: LabelledQuestion, answer: Answer) -> JudgeOpinion:
        """Raises LLMError where the model fails or grades off the scale: a grade is never guessed."""
        release_connections()
        grades, usage = self._llm.structured(
            system=render("judge", answer.language),
            prompt=self._prompt(question, answer),
            schema=AnswerGrades,
            max_tokens=_TOKENS,
            timeout=self._timeout,
        )
        scores = {category: (getattr(grades, category) - 1) / 4 for category in CATEGORIES}
        return JudgeOpinion(scores=scores, reason=" ".join(grades.reason.split())[:_REASON], usage=usage)

    def _prompt(self, question: LabelledQuestion, answer: Answer) -> str:
        return render(
            "judged",
            answer.language,
            passages="\n".join(self._blocks(answer)),
            question=neutralise(question.question),
            expected=neutralise(question.expected_answer or "; ".join(question.expected_answer_contains)),
            answer=neutralise(without_markers(answer.text)),
        )

    def _blocks(self, answer: Answer) -> list[str]:
        """What is cited comes first: it must not be cut away from a claim that rests on it."""
        cited = {citation.chunk_id for citation in answer.citations}
        ordered = sorted(answer.passages, key=lambda passage: passage.chunk_id not in cited)
        blocks: list[str] = []
        left = self._characters
        for passage in ordered:
            if left <= 0:
                break
            blocks.append(_block(len(blocks) + 1, passage, left))
            left -= len(blocks[-1])
        return blocks


def _block(number: int, passage: Passage, characters: int) -> str:
    heading = neutralise(" ".join(" › ".join((passage.title, *passage.heading_path)).split()))
    return f'<passage number="{number}">\n{heading}\n{neutralise(passage.text[:characters])}\n</passage>'
