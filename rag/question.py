"""A question as the parts that answer it receive it, and the evidence that they gather for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ingestion.models import Collection
from rag.types import Filters, QuestionAnalysis, SearchResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What was asked before in the conversation, and the answer."""

    question: str
    answer: str


def _never() -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """`text` stands alone; `typed` is what the reader wrote, where that was a follow-up on `history` (oldest first).

    `language` is that of the answer. `collections` are those of the asked ones that the viewer may read. Passages of
    less than `threshold` relevance are not written from, as long as others are left. Without `synthesize` the passages
    are all there is. `web`: whether the assistant may search the web. `instructions` are the assistant's, `page` the
    text of the page that the reader is on: both are data to a language model. `cancelled` says whether a newer question
    has taken this one's place.
    """

    text: str
    typed: str = ""
    language: str
    collections: Sequence[Collection]
    filters: Filters
    top_k: int
    analysis: QuestionAnalysis = field(default_factory=QuestionAnalysis)
    threshold: float = 0.0
    synthesize: bool = True
    history: tuple[Turn, ...] = ()
    web: bool = False
    instructions: str = ""
    page: str = ""
    max_tokens: int | None = None
    cancelled: Callable[[], bool] = _never


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What was gathered: passages of documents and of the web, best first. `corrected`: the first search did not do."""

    result: SearchResult
    corrected: bool = False
    web_fallback: bool = False
