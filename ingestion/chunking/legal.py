"""Splits acts of law along their units: an article, or the paragraph of a regulation, is a chunk."""

from collections.abc import Iterator, Sequence

from ingestion.chunking.markdown import MarkdownChunker
from ingestion.chunking.recursive import RecursiveChunker
from ingestion.text.acts.statutes.articles import UnitNode, articles, group_citation
from ingestion.text.acts.statutes.units import read_units
from ingestion.text.token_size import CHARACTERS_PER_TOKEN
from ingestion.types import ExtractedText, Span

_LONG_OPENING = 1 / 2
"""An opening longer than this share of `chunk_size` is a chunk of its own before the units it opens."""


class LegalChunker:
    """Chunks of at most `chunk_size` estimated tokens whose heading path ends with their citation.

    ("Dział I Przepisy ogólne", "art. 5 ust. 2 pkt 3"): an article that fits is one chunk, a longer one is split by
    its passages, those by their points, and so on; neighbours that fit share a chunk ("art. 5 ust. 1–3"). Only a
    narrowest unit that does not fit is split by `RecursiveChunker`, with overlap. A text without units is Markdown.
    Raises ValueError unless 0 <= overlap < chunk_size.
    """

    def __init__(self, chunk_size: int = 512, overlap: int = 50) -> None:
        self._size = chunk_size * CHARACTERS_PER_TOKEN
        self._recursive = RecursiveChunker(chunk_size, overlap)
        self._markdown = MarkdownChunker(chunk_size, overlap)

    def split(self, extracted: ExtractedText) -> list[Span]:
        units = read_units(extracted.text)
        if not units:
            return self._markdown.split(extracted)
        return [
            span for node in articles(extracted.text, units) for span in self._spans(extracted.text, node, node.start)
        ]

    def _spans(self, text: str, node: UnitNode, start: int) -> Iterator[Span]:
        """The chunks of text[start:node.end]; `start` lies before `node` where it opens with what stands above it."""
        if node.end - start <= self._size:
            yield _span(start, node.end, node, node.citation)
        elif not node.children:
            yield from self._pieces(text, start, node.end, node)
        else:
            first = node.children[0].start
            if first - start > self._size * _LONG_OPENING:
                yield from self._pieces(text, start, first, node)
                start = first
            yield from self._groups(text, node, start)

    def _groups(self, text: str, node: UnitNode, start: int) -> Iterator[Span]:
        """Neighbouring children as one chunk as long as they fit; one that does not fit is split in its turn."""
        group: list[UnitNode] = []
        for child in node.children:
            if group and child.end - start > self._size:
                yield _span(start, group[-1].end, node, group_citation(node, group))
                start, group = child.start, []
            if child.end - start <= self._size:
                group.append(child)
            else:
                yield from self._spans(text, child, start)
                start = child.end
        if group:
            yield _span(start, group[-1].end, node, group_citation(node, group))

    def _pieces(self, text: str, start: int, end: int, node: UnitNode) -> Iterator[Span]:
        for first, last in self._recursive.ranges(text, start, end):
            yield _span(first, last, node, node.citation)


def _span(start: int, end: int, node: UnitNode, citation: str) -> Span:
    path: Sequence[str] = (*node.divisions, citation) if citation else node.divisions
    return Span(start=start, end=end, heading_path=tuple(path))
