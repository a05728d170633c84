"""What a synthesizer promises."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rag.question import Background
from rag.types import Citation, Passage, Tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Synthesis:
    """What a draft came to. `text` and `citations` are what was yielded; not `found`: both are empty.

    `removed_citations` counts numbers of sources that do not exist; `passages_used` those the answer was
    written from; `model` and `prompt_hash` are "" where no model was asked. What was written by rules alone has `signs`
    of its worth, by name (`rag.answering.synthesis.extractive.scoring.signs_of`).
    """

    text: str = ""
    citations: tuple[Citation, ...] = ()
    found: bool = True
    truncated: bool = False
    removed_citations: int = 0
    usage: Tokens = field(default_factory=Tokens)
    model: str = ""
    prompt_hash: str = ""
    passages_used: int = 0
    signs: Mapping[str, float] = field(default_factory=dict)


class Draft(Protocol):
    """A synthesis under way: iterate it once for text and citations, then read the result."""

    def __iter__(self) -> Generator[str | Citation, None, None]:
        """Text pieces and citations in the order the reader should see them; `[n]` are final.

        A citation comes before its first `[n]`. Closing the generator ends the request to the model. An empty text
        says that work goes on which has nothing to show yet: a moment to close.
        """

    @property
    def result(self) -> Synthesis:
        """Complete after the last piece; before that, or after an error, what there is so far."""


class Synthesizer(Protocol):
    """Writes an answer from passages."""

    def synthesize(
        self, question: str, passages: Sequence[Passage], *, language: str, background: Background | None = None
    ) -> Draft:
        """A draft that cites only the given passages, numbered from 1 by first use."""
