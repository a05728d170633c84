"""The values on a question's way to its answer. Everything is frozen; a change is `dataclasses.replace`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

Outcome = Literal["answered", "not_found", "passages_only"]
FusionMethod = Literal["rrf", "weighted", "max"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a search is narrowed to; an empty value or None does not narrow. All that are given must hold.

    Any of several values of a filter will do; of `tags` a document must have all. `sources` are names or numbers.
    Documents in force on `valid_on` (today where None) are searched, unless `include_expired`.
    `modified_from` and `modified_to` bound the day the document last changed, both inclusive.
    `metadata` must be contained in the document's: nested objects, and lists as sets (PostgreSQL's `@>`).
    """

    collections: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    media_types: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    versions: tuple[str, ...] = ()
    valid_on: date | None = None
    include_expired: bool = False
    modified_from: date | None = None
    modified_to: date | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A typed word that occurs nowhere, and the word of the corpus that was searched instead."""

    typed: str
    searched: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WordMatch:
    """How one word of the question was found: `typed` -> `lemma` -> the forms that stand in the passage.

    `contribution` is its share of the lexical score, in score points.
    """

    typed: str
    lemma: str
    forms: tuple[str, ...]
    contribution: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Boost:
    """What lifted a passage besides its words and vectors: `value` is what it added, `reason` for the reader."""

    name: str
    value: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why a passage is in the list. Ranks count from 1; None: that leg did not return it.

    `similarity` is a cosine in [-1, 1], of sentence number `sentence` of the passage where that is not 0;
    `lexical_score` is BM25, unbounded; `graph_score` a share of the walk in [0, 1], along `graph_path` of names;
    `fusion_score` depends on `fusion_method`. `variants` are the other wordings of the question that found it;
    `alike` the chunks it stands for; `neighbours` those its text was extended by.
    """

    similarity: float | None = None
    dense_rank: int | None = None
    sentence: int = 0
    lexical_score: float | None = None
    lexical_rank: int | None = None
    words: tuple[WordMatch, ...] = ()
    coverage: float = 0.0
    graph_score: float | None = None
    graph_rank: int | None = None
    graph_path: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()
    fusion_method: FusionMethod = "weighted"
    fusion_score: float = 0.0
    reranker: str = ""
    reranker_score: float | None = None
    boosts: tuple[Boost, ...] = ()
    alike: tuple[int, ...] = ()
    neighbours: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a chunk of an extended passage stands: characters [start, end) of the document's text."""

    chunk_id: int
    start: int
    end: int
    page_start: int | None = None
    page_end: int | None = None
    heading_path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A chunk retrieved for a question. `relevance` in [0, 1] is comparable between questions, `score` is not.

    `dated` is the day its document came into force, else the day it last changed. A passage extended by its
    neighbours has all their `places`, in order, its own among them.
    """

    chunk_id: int
    document_id: int
    collection: str
    title: str
    uri: str
    media_type: str
    text: str
    start: int
    end: int
    line_start: int
    line_end: int
    page_start: int | None = None
    page_end: int | None = None
    heading_path: tuple[str, ...] = ()
    context_before: str = ""
    context_after: str = ""
    category: str = ""
    tags: tuple[str, ...] = ()
    dated: date | None = None
    places: tuple[Place, ...] = ()
    score: float = 0.0
    relevance: float = 0.0
    explanation: Explanation = field(default_factory=Explanation)


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """`[number]` in the answer: the exact `quote`, characters [start, end) of its document's text.

    It is a snapshot: it stays true to what was shown even when the document is chunked anew. `url` opens the document
    with the quote marked.
    """

    number: int
    chunk_id: int
    document_id: int
    title: str
    uri: str
    quote: str
    start: int
    end: int
    line_start: int
    line_end: int
    page_start: int | None = None
    page_end: int | None = None
    heading_path: tuple[str, ...] = ()
    score: float = 0.0
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """Something the reader should know about the answer; `message` is in the reader's language."""

    code: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceEntry:
    """What a stage of the search did, or why it did nothing; `reason` is in the reader's language."""

    stage: str
    applied: bool
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    input: int = 0
    output: int = 0

    @property
    def total(self) -> int:
        return self.input + self.output

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(input=self.input + other.input, output=self.output + other.output)


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """`latency` in milliseconds per stage; `cost` in US dollars; chunks searched, retrieved and used in the answer."""

    latency: Mapping[str, float] = field(default_factory=dict)
    tokens: Tokens = field(default_factory=Tokens)
    cost: float = 0.0
    chunks_total: int = 0
    chunks_retrieved: int = 0
    chunks_used: int = 0
    model: str = ""
    trace: tuple[TraceEntry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAnalysis:
    """What kind of answer is wanted, with `confidence` in [0, 1], and what the question is about."""

    intent: str = "unknown"
    confidence: float = 0.0
    keywords: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """Passages, best first, with what was searched instead of what was typed. `usage` of a language model, by step."""

    passages: tuple[Passage, ...]
    corrections: tuple[Correction, ...] = ()
    chunks_total: int = 0
    latency: Mapping[str, float] = field(default_factory=dict)
    usage: Mapping[str, Tokens] = field(default_factory=dict)
    trace: tuple[TraceEntry, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The whole result of a question. `text` carries `[n]` after each claim; citations are in order of n."""

    question: str
    text: str
    outcome: Outcome
    language: str = "pl"
    citations: tuple[Citation, ...] = ()
    passages: tuple[Passage, ...] = ()
    uncited_claims: tuple[str, ...] = ()
    removed_citations: int = 0
    corrections: tuple[Correction, ...] = ()
    analysis: QuestionAnalysis = field(default_factory=QuestionAnalysis)
    notices: tuple[Notice, ...] = ()
    confidence: float = 0.0
    synthesizer: str = ""
    prompt_hash: str = ""
    metrics: Metrics = field(default_factory=Metrics)


def as_json(value: Any) -> Any:
    """A dataclass, or anything made of dataclasses, as JSON-ready dictionaries and lists."""
    if hasattr(value, "__dataclass_fields__"):
        return {name: as_json(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, Mapping):
        return {key: as_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [as_json(item) for item in value]
    if isinstance(value, float):
        return round(value, 4)
    return value.isoformat() if isinstance(value, date) else value
