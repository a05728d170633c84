"""What a search that did not answer looked for, and where it came nearest."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchedWord:
    """A word of the question, or a phrase that has other words, `typed` as the reader wrote it.

    `read_as`: the spellings that it was searched under instead, the likeliest first. `other_words`: synonyms that were
    searched beside it. `in_documents`: whether any of the searched documents has it, in one of these spellings, however
    inflected.
    """

    typed: str
    read_as: tuple[str, ...] = ()
    other_words: tuple[str, ...] = ()
    in_documents: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class NearSection:
    """A section of a document that the reader may open: `headings` from the outermost, without the title; `url` opens
    the document with the passage marked.
    """

    document_id: int
    title: str
    headings: tuple[str, ...] = ()
    url: str = ""
