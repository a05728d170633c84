"""The values that travel from a file to the index. All character offsets are into `ExtractedText.text`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Protocol
from uuid import UUID

from pydantic import Field

Progress = Callable[[int, int], None]
"""Called with (done, total) units of the current stage."""

ChunkKind = Literal["text", "table", "code", "list"]


def no_progress(done: int, total: int) -> None:
    """The progress of those who do not care."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Characters [start, end) of the text stand on page `number`, counted from 1."""

    number: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedText:
    """A document as text. Structure is written as Markdown (headings `#`, pipe tables, fenced code, lists).

    Lines end with "\\n". `pages` is empty where the format has none; otherwise they cover the text in order.
    `second`: the same document as another extractor saw it, where that was asked for.
    """

    text: str
    extractor: str
    title: str = ""
    language: str = ""
    pages: tuple[Page, ...] = ()
    warnings: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=dict)
    second: "ExtractedText | None" = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """What a chunker decides: characters [start, end) belong together under `heading_path` (outermost first)."""

    start: int
    end: int
    heading_path: tuple[str, ...] = ()
    kind: ChunkKind = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkDraft:
    """A chunk that has no row yet. `text == extracted.text[start:end]`; lines and pages count from 1, inclusive."""

    text: str
    start: int
    end: int
    line_start: int
    line_end: int
    page_start: int | None = None
    page_end: int | None = None
    heading_path: tuple[str, ...] = ()
    kind: ChunkKind = "text"
    context_before: str = ""
    context_after: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A word at characters [start, end): its lower-case `form` and its `lemma`."""

    form: str
    lemma: str
    start: int
    end: int


Fraction = Annotated[float, Field(ge=0, le=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rectangle:
    """A place on a page, in fractions of its width and height, from its top left corner."""

    left: Fraction
    top: Fraction
    width: Fraction
    height: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedPage:
    """A page as it is seen, `width` by `height` points, and where on it the quoted words stand, line by line."""

    width: float
    height: float
    rectangles: tuple[Rectangle, ...] = ()


Origin = Literal["source", "editor"]
"""Who says who may read a document."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """Who alone may read a document, by the keys of groups and accounts; without any nobody but administrators may."""

    groups: frozenset[int] = frozenset()
    users: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedFile:
    """A file of an archive under its path there, with `/`; `trouble` says why it has no content."""

    path: str
    content: bytes = field(default=b"", repr=False)
    trouble: str = ""


class BackgroundWork(Protocol):
    """What another app leaves to a worker, named by keys: the component `background`."""

    def enqueue(self, job: UUID) -> None:
        """Hand a job of that app to the worker once the current transaction is committed."""

    def group_documents(self, collection: int) -> None:
        """Have the groups of the collection's documents made, unless that waits or runs already."""


class ChunkingTrials(Protocol):
    """Collections split in another way on trial, in copies that nobody reads: the component `chunking_trials`.

    A chunking is what `Collection.chunking` says: chunker, chunk_size, overlap, options.
    """

    def in_force(self, collection: int) -> Mapping[str, Any]:
        """How the documents of the collection are split now."""

    def chunkers(self) -> Sequence[str]:
        """The names of those that are worth a trial on any texts."""

    def in_words(self, chunking: Mapping[str, Any]) -> str:
        """In one line, for people."""

    def documents(self, collections: Sequence[int], *, wanted: Callable[[str], bool], characters: int) -> list[int]:
        """Documents of the collections that readers can open, by key: those whose address is `wanted`, then others as
        if drawn, until their texts have so many characters.
        """

    def fill(
        self,
        collection: int,
        chunking: Mapping[str, Any],
        documents: Sequence[int],
        *,
        search: int,
        goes_on: Callable[[], bool],
    ) -> int | None:
        """The key of the copy of `collection` that `search` has for this chunking, with copies of these documents. None
        where it did not go on long enough; called again, it does the rest.
        """

    def remove(self, copies: Sequence[int], *, vectors: bool = False) -> None:
        """Delete the copies with all that is in them. `vectors`: those that are kept by their text stay."""

    def change(self, collections: Sequence[int], chunking: Mapping[str, Any], *, gate: str) -> int:
        """Have the collections themselves split so, while they serve; the key of the change. Raises KnowledgeTreeError
        where it cannot be.
        """


class OutsideJob(Protocol):
    """Background work of another app, under a kind of its own."""

    def run(self, job: UUID, progress: Progress) -> bool:
        """Do what the job of this key is for. False where nobody wants it any more.

        Run again after its worker was killed, it goes on or begins anew.
        `progress` is called with (done, total), often. Raises KnowledgeTreeError for what people can mend.
        """
