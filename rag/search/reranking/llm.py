"""A language model grades all passages in one call: it sees them side by side, as a reader does."""

import time
from collections.abc import Sequence
from dataclasses import replace

from django.utils.translation import gettext_lazy as _
from pydantic import BaseModel

from ingestion.text.token_size import CHARACTERS_PER_TOKEN
from knowledgetree.postgres.connections import release_connections
from rag.errors import LLMError, RerankingFailed
from rag.llm.prompts import render
from rag.llm.prompts.untrusted import neutralise
from rag.search.context import SearchContext
from rag.types import Passage
from rag.understanding.language import question_language

_BEST = 10.0
_TOKENS_PER_GRADE = 20  # {"passage": 12, "grade": 7.5}, with room to spare
_TOKENS_AROUND = 100


class Grade(BaseModel):
    """`passage` as numbered in the prompt, from 1; `grade` from 0 to 10."""

    passage: int
    grade: float


class Grades(BaseModel):
    grades: list[Grade]


class LLMReranker:
    """Scores are grades over ten, in [0, 1] (listwise, after Sun et al. 2023, RankGPT, arXiv:2304.09542).

    `limit`: passages graded for a question, of which the model reads the first `passage_tokens` each (estimated). It
    asks the model of the search; its cost is counted as that of the step "reranking".
    """

    def __init__(self, *, limit: int = 20, passage_tokens: int = 250) -> None:
        self.limit: int | None = limit
        self._characters = passage_tokens * CHARACTERS_PER_TOKEN

    def rerank(self, search: SearchContext, passages: Sequence[Passage], *, deadline: float) -> list[Passage]:
        """See `rag.search.reranking.protocol.Reranker`. A passage without a valid grade counts as graded 0."""
        if not passages:
            return []
        grades = self._grades(search, passages, deadline)
        if not grades:
            raise RerankingFailed(_("The language model graded no passage."))
        scored = [replace(passage, score=grades.get(n, 0.0) / _BEST) for n, passage in enumerate(passages, start=1)]
        return sorted(scored, key=lambda passage: -passage.score)

    def _grades(self, search: SearchContext, passages: Sequence[Passage], deadline: float) -> dict[int, float]:
        """By the passage's number. Numbers that were not given out and grades off the scale are ignored."""
        if search.llm is None:
            raise RerankingFailed(_("No language model is configured."))
        language = question_language(search.query.text)
        shown = "\n".join(self._block(n, passage) for n, passage in enumerate(passages, start=1))
        release_connections()
        try:
            reply, usage = search.llm.structured(
                system=render("rerank", language),
                prompt=render("passages", language, passages=shown, question=neutralise(search.query.text)),
                schema=Grades,
                max_tokens=_TOKENS_AROUND + _TOKENS_PER_GRADE * len(passages),
                timeout=deadline - time.monotonic(),
            )
        except LLMError as error:
            raise RerankingFailed(error.message) from error
        search.spend("reranking", usage)
        valid = {grade.passage: grade.grade for grade in reversed(reply.grades) if 0 <= grade.grade <= _BEST}
        return {number: grade for number, grade in valid.items() if 1 <= number <= len(passages)}

    def _block(self, number: int, passage: Passage) -> str:
        heading = " › ".join((passage.title, *passage.heading_path))
        text = passage.text[: self._characters]
        return f'<passage number="{number}">\n{neutralise(" ".join(heading.split()))}\n{neutralise(text)}\n</passage>'
