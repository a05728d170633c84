"""What a search is narrowed to and what it comes to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Literal

from rag.types.passages import Passage
from rag.types.verification import Quality


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """What a search is narrowed to; an empty value or None does not narrow. All that are given must hold.

    Any of several values of a filter will do; of `tags` a document must have all. `sources` are names or numbers.
    Documents in force on `valid_on` (today where None) are searched, unless `include_expired`. With `valid_on` what
    they said then is searched, earlier versions included; with `valid_through` what was in force on some day between
    the two. `former`: what was in force last before what is in force today, and nothing else; `with_former`: both.
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
    valid_through: date | None = None
    former: bool = False
    with_former: bool = False
    include_expired: bool = False
    modified_from: date | None = None
    modified_to: date | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict, hash=False)

    def are_of(self, day: date) -> bool:
        """Whether what is in force on `day` alone is searched, where that day is today."""
        through = self.valid_through or self.valid_on
        is_today = not (self.former or self.with_former or self.include_expired)
        return is_today and self.valid_on in (None, day) and through in (None, day)

    @property
    def names_a_time(self) -> bool:
        """Whether another time than today is searched."""
        return self.former or self.with_former or self.valid_on is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A typed word that occurs nowhere, and the word of the corpus that was searched instead."""

    typed: str
    searched: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAnalysis:
    """What kind of answer is wanted, with `confidence` in [0, 1], and what the question is about."""

    intent: str = "unknown"
    confidence: float = 0.0
    keywords: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TraceEntry:
    """What a stage of the search did, or why it did nothing; `reason` is in the reader's language."""

    stage: str
    applied: bool
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """`input` is all that was read, `cache_read` of it from the provider's cache and `cache_write` into it."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    @property
    def total(self) -> int:
        return self.input + self.output

    def __add__(self, other: "Tokens") -> "Tokens":
        return Tokens(
            input=self.input + other.input,
            output=self.output + other.output,
            cache_read=self.cache_read + other.cache_read,
            cache_write=self.cache_write + other.cache_write,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """Passages, best first, with what was searched instead of what was typed. `usage` of a language model, by step.

    `quality` is "" until it is graded.
    """

    passages: tuple[Passage, ...]
    corrections: tuple[Correction, ...] = ()
    quality: Quality | Literal[""] = ""
    chunks_total: int = 0
    latency: Mapping[str, float] = field(default_factory=dict)
    usage: Mapping[str, Tokens] = field(default_factory=dict)
    trace: tuple[TraceEntry, ...] = ()
