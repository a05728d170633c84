"""Passages as search results in blocks, and what a model located in them as exact spans of the passages.

Format: https://docs.anthropic.com/en/docs/build-with-claude/search-results
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ingestion.text.sentences import sentence_spans
from rag.answering.synthesis.citations import CitationParser
from rag.answering.synthesis.markup import MARKS
from rag.llm.prompts.untrusted import neutralise
from rag.types import Located, Passage, QuotableSource

Span = tuple[int, int]

_SENTENCE_END = re.compile(r"[.!?…]*\s*\Z")
_MODELS_OWN = re.compile(f"[{MARKS}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class LocatedSentence:
    """A sentence as it is sent; `span`: its characters of the passage's text, None where it is context around it."""

    text: str
    span: Span | None = None


def blocks_of(passage: Passage) -> list[LocatedSentence]:
    """All of the passage, sentence by sentence, each with the white space after it, and the context around it."""
    starts = [0, *(start for start, _ in sentence_spans(passage.text)[1:]), len(passage.text)]
    spans = [(start, end) for start, end in pairwise(starts) if neutralise(passage.text[start:end]).strip()]
    return [
        *_context(passage.context_before, "{}\n"),
        *(LocatedSentence(text=neutralise(passage.text[start:end]), span=(start, end)) for start, end in spans),
        *_context(passage.context_after, "\n{}"),
    ]


def source_of(passage: Passage) -> QuotableSource:
    title = " › ".join(" ".join(part.split()) for part in (passage.title, *passage.heading_path))
    return QuotableSource(title=neutralise(title) or "–", blocks=tuple(block.text for block in blocks_of(passage)))


def span_of(located: Located, passage: Passage) -> Span | None:
    """The characters of the passage's text that were quoted, without surrounding white space.

    None where the quote is not what stands in these blocks, or is of the context alone: then it proves nothing.
    """
    blocks = blocks_of(passage)[located.first : located.last] if 0 <= located.first < located.last else []
    spans = [block.span for block in blocks if block.span]
    if not spans or "".join(block.text for block in blocks).strip() != located.quoted.strip():
        return None
    start, end = spans[0][0], spans[-1][1]
    quote = passage.text[start:end]
    return start + len(quote) - len(quote.lstrip()), end - len(quote) + len(quote.rstrip())


class LocatedText:
    """Makes text of a reply that locates its quotes: where a citation belongs stands the mark the parser gave for it.

    The end of a sentence is held back, since its citation, which comes after it, belongs before its full stop.
    """

    def __init__(self, passages: Sequence[Passage], parser: CitationParser) -> None:
        self._passages = passages
        self._parser = parser
        self._held = ""

    def feed(self, piece: str | Located) -> str:
        if isinstance(piece, Located):
            return self._mark(piece)
        text = self._held + _MODELS_OWN.sub("", piece)
        end = _SENTENCE_END.search(text)
        assert end is not None  # noqa: S101 - it matches the empty end of any text
        self._held = text[end.start() :]
        return text[: end.start()]

    def finish(self) -> str:
        held, self._held = self._held, ""
        return held

    def _mark(self, located: Located) -> str:
        if not 0 <= located.source < len(self._passages):
            return self._parser.mark(0, None)
        return self._parser.mark(located.source + 1, span_of(located, self._passages[located.source]))


def _context(text: str, form: str) -> list[LocatedSentence]:
    shown = neutralise(text)
    return [LocatedSentence(text=form.format(shown))] if shown.strip() else []
