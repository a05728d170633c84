"""`[n]` of a model turned into citations while the answer streams."""

import re
from collections.abc import Iterator, Sequence

from rag.answering.claims import last_claim
from rag.answering.synthesis.markup import FIRST_MARK, MARK_COUNT, MarkupScanner, MarkupToken
from rag.answering.synthesis.quotes import best_quote, citation_from
from rag.types import Citation, Passage

__all__ = ["CitationParser", "citation_from"]

# "1", "1, 2", "1-3", "1; 4–5". Numbers of four digits are years, not sources.
_NUMBERS = re.compile(r"\s*\d{1,3}(?:\s*[-–—]\s*\d{1,3})?(?:\s*[,;]\s*\d{1,3}(?:\s*[-–—]\s*\d{1,3})?)*\s*")
_RANGE = re.compile(r"(\d+)(?:\s*[-–—]\s*(\d+))?")
_MARKERS_END = re.compile(r"(?:\[\d+\])+\Z")
_DEFINITION = re.compile(r"[\s>*+.)\d-]*\[[^\]\n]*\]")

Quoted = tuple[int, tuple[int, int] | None]
"""A source, counted from 1, and the characters of its text that are quoted, where they are known."""


class CitationParser:
    """Renumbers the sources of a streamed answer by first use.

    Feed pieces of the model's text, which calls its sources by their place in `passages` counted from 1; take
    pieces for the reader. A Citation comes directly before the `[n]` that first uses it. `[1, 2]`, `[1][2]`
    and `[1-3]` become `[1][2]…`; numbers of no source are removed with the space before them and counted;
    brackets in code and around anything but numbers stay. Links and images outside code lose their address.
    The result does not depend on how the text was cut.

    A quote whose place is known is fed as its `mark`. It has a number of its own, so that each `[n]` opens what it was
    written from; a number that the model wrote means the passage, and its first quote.
    """

    def __init__(self, passages: Sequence[Passage], *, searched: str = "") -> None:
        self.text = ""
        self.citations: list[Citation] = []
        self.removed = 0
        self._passages = passages
        self._searched = searched
        self._scanner = MarkupScanner()
        self._numbers: dict[Quoted, int] = {}
        self._marked: list[Quoted] = []
        self._removed_space = ""

    def mark(self, source: int, span: tuple[int, int] | None) -> str:
        """A character to feed where `span` of a source is cited, None for the sentences nearest to the claim."""
        quoted = (source, span)
        if quoted not in self._marked:
            self._marked.append(quoted)
        index = self._marked.index(quoted)
        return chr(FIRST_MARK + index) if index < MARK_COUNT else ""

    def feed(self, piece: str) -> Iterator[str | Citation]:
        """What the reader can be shown once `piece` is known."""
        for token in self._scanner.feed(piece):
            yield from self._shown(token)

    def finish(self) -> Iterator[str | Citation]:
        """What was held back at the end of the text."""
        for token in self._scanner.finish():
            yield from self._shown(token)

    def _shown(self, token: MarkupToken) -> Iterator[str | Citation]:
        if token.kind in ("bracket", "link") and _NUMBERS.fullmatch(token.label):
            yield from self._marker(token)
            return
        if token.kind == "mark":
            yield from self._marked_place(token)
            return
        self._removed_space = ""
        if token.kind == "link":
            yield from self._write(token.before + token.label)
        elif token.kind == "bracket":
            yield from self._write(f"{token.before}[{token.label}]")
        else:
            yield from self._write(token.text)

    def _marker(self, token: MarkupToken) -> Iterator[str | Citation]:
        sources = _sources(token.label)
        known = [source for source in sources if 1 <= source <= len(self._passages)]
        self.removed += len(sources) - len(known)
        # In "tak [9][1]" the space before the removed [9] now belongs to [1].
        space = token.before or self._removed_space
        self._removed_space = "" if known else space
        if known:
            yield from self._write(space)
        else:
            yield from self._keep_apart()
        for source in known:
            yield from self._cite((source, None))

    def _marked_place(self, token: MarkupToken) -> Iterator[str | Citation]:
        source, span = self._marked[ord(token.text) - FIRST_MARK]
        self._removed_space = ""
        if not 1 <= source <= len(self._passages):
            self.removed += 1
            yield from self._keep_apart()
        elif self.text.strip():
            apart = not (self.text[-1].isspace() or _MARKERS_END.search(self.text))
            yield from self._cite((source, span), before=" " if apart else "")

    def _cite(self, quoted: Quoted, *, before: str = "") -> Iterator[str | Citation]:
        """`[n]`, unless the same one stands there already: a model may write a number and have it located as well."""
        number = self._number(quoted)
        there = {number, self._numbers.get((quoted[0], None), 0)} - {0}
        if any(f"[{number}]" in self._last_markers() for number in there):
            return
        yield from self._write(before)
        if not number:
            yield self._added(quoted)
        yield from self._write(f"[{self._number(quoted)}]")

    def _keep_apart(self) -> Iterator[str]:
        """What stood apart must not meet and become an address where a number is removed: "<[9]http:"."""
        if self.text.endswith("<"):
            yield from self._write(" ")

    def _number(self, quoted: Quoted) -> int:
        """The number that it has, or 0; a passage has that of its first quote."""
        source, span = quoted
        if span is None:
            return next((number for (known, _), number in self._numbers.items() if known == source), 0)
        return self._numbers.get(quoted, 0)

    def _added(self, quoted: Quoted) -> Citation:
        source, span = quoted
        passage = self._passages[source - 1]
        quote_span = span or best_quote(last_claim(self.text), passage, searched=self._searched)
        self._numbers[quoted] = number = len(self._numbers) + 1
        citation = citation_from(passage, number=number, quote_span=quote_span)
        self.citations.append(citation)
        return citation

    def _last_markers(self) -> str:
        found = _MARKERS_END.search(self.text)
        return found.group() if found else ""

    def _write(self, text: str) -> Iterator[str]:
        if not text:
            return
        if self.text.endswith("]") and self._would_link(text):
            text = f" {text}"
        self.text += text
        yield text

    def _would_link(self, text: str) -> bool:
        """Whether Markdown would read the bracket just written and `text` as a link or its definition."""
        line = self.text[self.text.rfind("\n") + 1 :]
        return text.startswith("(") or (text.startswith(":") and _DEFINITION.fullmatch(line) is not None)


def _sources(label: str) -> list[int]:
    """The numbers a marker names, each once, in its order; a range names all between its ends."""
    numbers: list[int] = []
    for match in _RANGE.finditer(label):
        first, last = int(match.group(1)), int(match.group(2) or match.group(1))
        numbers.extend(range(min(first, last), max(first, last) + 1))
    return list(dict.fromkeys(numbers))
