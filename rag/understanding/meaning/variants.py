"""What a transformation makes of a question: texts to search beside it."""

from dataclasses import dataclass, field

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
