"""What a transformation of a question promises."""

from dataclasses import dataclass, field
from typing import Protocol

from rag.types import Tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """A text to search beside the question, made by the transformation `origin`.

    `passage`: it is worded like a passage that answers, and is compared with passages as one of them. `depends_on`:
    the sub-questions, counted from 1, whose answers it needs before it can be asked.
    """

    text: str
    origin: str
    passage: bool = False
    depends_on: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Transformed:
    """`usage` is what the variants cost."""

    variants: tuple[Variant, ...]
    usage: Tokens = field(default_factory=Tokens)


class Transformation(Protocol):
    """Words a question anew. One instance serves all threads and holds no database connection."""

    @property
    def name(self) -> str:
        """As in `Preset.transformations`."""

    def key(self, question: str) -> str:
        """Equal keys give variants that are as good as each other: it names the question, the model and the prompt."""

    def transform(self, question: str, *, timeout: float) -> Transformed:
        """Variants, the likeliest first, none equal to the question. Raises LLMError, at the latest after `timeout`
        seconds.
        """
