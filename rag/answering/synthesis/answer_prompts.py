"""The prompts of the synthesizers, filled in."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from rag.answering.synthesis.background import render_background
from rag.answering.synthesis.citation_blocks import source_of
from rag.answering.synthesis.context import render_sources
from rag.answering.synthesis.refusal import REFUSAL
from rag.llm.prompts import prompt_hash, render
from rag.llm.prompts.untrusted import neutralise
from rag.llm.protocol import LanguageModel, LocatingReply, Reply
from rag.question import Background
from rag.types import Passage


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPrompts:
    """One question to one model; `language` is that of the question."""

    llm: LanguageModel
    question: str
    language: str
    background: Background | None
    max_tokens: int

    def hash(self, *names: str) -> str:
        """Which wording of these prompts an answer came from."""
        return "-".join(prompt_hash(name, self.language) for name in names)

    def from_sources(self, passages: Sequence[Passage], *, first: int = 1, max_tokens: int | None = None) -> Reply:
        """An answer that calls the passages by their numbers, the first one being `first`."""
        return self._answer("sources", max_tokens, sources=render_sources(passages, first=first))

    def refined(self, draft: str, passages: Sequence[Passage], *, first: int) -> Reply:
        """The draft, which cites passages by their numbers, with what these passages add to it."""
        return self._answer("refine", None, sources=render_sources(passages, first=first), draft=neutralise(draft))

    def summary(self, notes: Sequence[str]) -> Reply:
        """One answer from partial ones, which cite passages by numbers that are the same in all."""
        shown = "\n".join(f"<note>\n{neutralise(note)}\n</note>" for note in notes)
        return self._answer("summary", None, notes=shown)

    def located(self, passages: Sequence[Passage]) -> LocatingReply:
        """An answer whose quotes are located in the passages."""
        return self.llm.cite(
            system=render("located_answer", self.language, refusal=REFUSAL),
            sources=[source_of(passage) for passage in passages],
            prompt=render("located", self.language, refusal=REFUSAL, **self._asked()),
            max_tokens=self.max_tokens,
        )

    def _answer(self, name: str, max_tokens: int | None, **blocks: str) -> Reply:
        return self.llm.stream(
            system=render("answer", self.language, refusal=REFUSAL),
            prompt=render(name, self.language, refusal=REFUSAL, **blocks, **self._asked()),
            max_tokens=max_tokens or self.max_tokens,
        )

    def _asked(self) -> dict[str, str]:
        return {
            "question": neutralise(self.question),
            "background": render_background(self.background),
            "today": timezone.localdate().isoformat(),
        }
