"""The sources of an answer, as its cards and its panel show them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from rag.chat.answering.reasons import Why, why_found, why_quoted
from rag.chat.rendering.question_words import question_words
from rag.search.hits import forms_found
from rag.search.links import address_of
from rag.search.near_sections import below_title
from rag.types import Citation, Passage, PassageRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSource:
    """A card under the answer; `number` is None for a passage that the answer does not cite.

    `words` are forms and lemmas of the question, to be marked in the quote.
    """

    title: str
    url: str
    quote: str
    line_start: int
    line_end: int
    page_start: int | None
    page_end: int | None
    heading_path: tuple[str, ...]
    number: int | None = None
    why: Why = field(default_factory=Why)
    words: frozenset[str] = frozenset()
    web: bool = False
    document: int = 0
    """0 where it is a page of the web, or no longer in the knowledge base."""

    @property
    def section(self) -> str:
        """The nearest heading; "" where there is none."""
        return self.heading_path[-1] if self.heading_path else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceGroup:
    """What is shown of one document, in the order of the numbers."""

    title: str
    sources: tuple[ShownSource, ...]


def by_document(sources: Iterable[ShownSource]) -> tuple[SourceGroup, ...]:
    """The sources with those of one document together, where the first of them stood. What has none stands alone."""
    groups: dict[int, list[ShownSource]] = {}
    for place, source in enumerate(sources):
        groups.setdefault(source.document or -1 - place, []).append(source)
    return tuple(SourceGroup(title=group[0].title, sources=tuple(_below_shared(group))) for group in groups.values())


def _below_shared(group: Sequence[ShownSource]) -> Iterator[ShownSource]:
    """The headings in which passages of one document differ; its own heading always stays."""
    levels = zip(*(source.heading_path[:-1] for source in group), strict=False)
    shared = len(list(takewhile(lambda level: len(set(level)) == 1, levels))) if len(group) > 1 else 0
    return (replace(source, heading_path=source.heading_path[shared:]) for source in group)


def cited_source(citation: Citation, found: Passage | PassageRecord | None, *asked: str) -> ShownSource:
    """The card of `citation`; `found` is what was retrieved there, None where it is no longer known.

    `asked`: the question first, then what was understood by it and searched instead of its words.
    """
    return ShownSource(
        title=citation.title,
        url=citation.url,
        quote=citation.quote,
        line_start=citation.line_start,
        line_end=citation.line_end,
        page_start=citation.page_start,
        page_end=citation.page_end,
        heading_path=below_title(citation.heading_path, citation.title),
        number=citation.number,
        why=why_found(found) if found else why_quoted(" ".join(asked), citation.quote),
        words=question_words(*asked) | (forms_found(found.explanation.words) if found else frozenset()),
        web=citation.origin == "web",
        document=citation.document_id if citation.origin == "document" and citation.url else 0,
    )


def near_source(passage: Passage, *asked: str) -> ShownSource:
    """The card of a passage that was found and is not cited."""
    return ShownSource(
        title=passage.title,
        url=address_of(passage),
        quote=passage.text,
        line_start=passage.line_start,
        line_end=passage.line_end,
        page_start=passage.page_start,
        page_end=passage.page_end,
        heading_path=below_title(passage.heading_path, passage.title),
        why=why_found(passage),
        words=question_words(*asked) | forms_found(passage.explanation.words),
        web=passage.origin == "web",
        document=passage.document_id if passage.origin == "document" else 0,
    )
