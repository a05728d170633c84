"""A passage and why it was found."""

from dataclasses import dataclass, field
from datetime import date
from typing import Literal

FusionMethod = Literal["rrf", "weighted", "max"]
SubstituteOrigin = Literal["synonym", "thesaurus", "glossary", "lexicon"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Substitute:
    """A word or phrase by which a passage was found instead of the typed one, and who says that it means the same."""

    text: str
    origin: SubstituteOrigin


@dataclass(frozen=True, slots=True, kw_only=True)
class WordMatch:
    """How one word of the question was found: `typed` -> `lemma` -> the forms that stand in the passage.

    `contribution` is its share of the lexical score, in score points. `substitutes` stand in the passage for the word,
    or for a phrase that it is part of.
    """

    typed: str
    lemma: str
    forms: tuple[str, ...]
    contribution: float
    substitutes: tuple[Substitute, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Boost:
    """What lifted a passage besides its words and vectors: `value` is what it added, below 0 what it took, `reason` for
    the reader.
    """

    name: str
    value: float
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """Why a passage is in the list. Ranks count from 1; None: that leg did not return it.

    `similarity` is a cosine in [-1, 1], of sentence number `sentence` of the passage where that is not 0;
    `lexical_score` is BM25, unbounded; `graph_score` the root of a share of the walk, along `graph_path` of names;
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
class TimeInForce:
    """When what a passage says was or will be in force: on no day that is today. An open end is not known."""

    first: date | None
    last: date | None

    def is_over(self, today: date) -> bool:
        return self.last is not None and self.last < today


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A chunk retrieved for a question. `relevance` in [0, 1] is comparable between questions, `score` is not.

    `dated` is the day its document came into force, else the day it last changed; `held` says from when to when it is
    or was in force, where that is known and not today's state: then it must be said with it. A passage extended by its
    neighbours has all their `places`, in order, its own among them. One from the web (`origin`) is no chunk: its
    `chunk_id` and `document_id` are 0, its place is that in the text of the page at `uri`. `extractor` read the text it
    is from; `second` says that this is not the document's own text but the one read beside it.
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
    held: "TimeInForce | None" = None
    origin: Literal["document", "web"] = "document"
    extractor: str = ""
    second: bool = False
    places: tuple[Place, ...] = ()
    score: float = 0.0
    relevance: float = 0.0
    explanation: Explanation = field(default_factory=Explanation)
