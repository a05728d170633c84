"""`[n]` of a model turned into citations while the answer streams."""

import re
from collections.abc import Iterator, Sequence

from ingestion.protocols import Analyser
from rag.synthesis.claims import last_claim, split_claims, uncited_claims
from rag.synthesis.markup import MarkupScanner, MarkupToken
from rag.synthesis.quotes import best_quote, citation_from
from rag.types import Citation, Passage

__all__ = ["CitationParser", "citation_from", "split_claims", "uncited_claims"]

# "1", "1, 2", "1-3", "1; 4–5". Numbers of four digits are years, not sources.
_NUMBERS = re.compile(r"\s*\d{1,3}(?:\s*[-–—]\s*\d{1,3})?(?:\s*[,;]\s*\d{1,3}(?:\s*[-–—]\s*\d{1,3})?)*\s*")
_RANGE = re.compile(r"(\d+)(?:\s*[-–—]\s*(\d+))?")
_DEFINITION = re.compile(r"[\s>*+.)\d-]*\[[^\]\n]*\]")


class CitationParser:
    """Renumbers the sources of a streamed answer by first use.

    Feed pieces of the model's text, which calls its sources by their place in `passages` counted from 1; take
    pieces for the reader. A Citation comes directly before the `[n]` that first uses it. `[1, 2]`, `[1][2]`
    and `[1-3]` become `[1][2]…`; numbers of no source are removed with the space before them and counted;
    brackets in code and around anything but numbers stay. Links and images outside code lose their address.
    The result does not depend on how the text was cut.
    """

    def __init__(self, passages: Sequence[Passage], analyser: Analyser) -> None:
        self.text = ""
        self.citations: list[Citation] = []
        self.removed = 0
        self._passages = passages
        self._analyser = analyser
        self._scanner = MarkupScanner()
        self._numbers: dict[int, int] = {}
        self._removed_space = ""

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
        elif self.text.endswith("<"):
            yield from self._write(" ")  # what stood apart must not meet and become an address: "<[9]http:"
        for source in known:
            if source not in self._numbers:
                yield self._cite(source)
            yield from self._write(f"[{self._numbers[source]}]")

    def _cite(self, source: int) -> Citation:
        passage = self._passages[source - 1]
        quote_span = best_quote(last_claim(self.text), passage, self._analyser)
        self._numbers[source] = number = len(self._numbers) + 1
        citation = citation_from(passage, number=number, quote_span=quote_span)
        self.citations.append(citation)
        return citation

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
