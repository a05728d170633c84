"""Chooses the chunker by what the text is and looks like."""

import re

from ingestion.chunking.code import CodeChunker
from ingestion.chunking.legal import LegalChunker
from ingestion.chunking.markdown import MarkdownChunker
from ingestion.chunking.protocol import Chunker
from ingestion.chunking.recursive import RecursiveChunker
from ingestion.chunking.table import TableChunker
from ingestion.text.acts.statutes.units import read_units
from ingestion.types import ExtractedText, Span

MIN_UNITS = 3
"""Articles, or paragraphs of a regulation, that make an act of a text."""

MAX_UNIT = 8_000
"""Characters of text to an article on average; a text with fewer articles only quotes a law."""

TABLE_SHARE = 1 / 2

_STRUCTURE = re.compile(
    r"^(?:#{1,6}[ \t]+\S"  # a heading
    r"|(?:```|~~~)"  # a fence
    r"|\|?[ \t]*:?-{2,}:?[ \t]*\|)",  # the delimiter row of a table
    re.MULTILINE,
)
_MAY_BE_ACT = re.compile(r"(?:^|[.\s])(?:Art\.|Artykuł|§)\s?1\b")
_ROW = re.compile(r"^\|.*$", re.MULTILINE)


class AdaptiveChunker:
    """Source code by `CodeChunker`, acts of law by `LegalChunker`, what is mostly tables by `TableChunker`.

    Any other text with headings, tables or fenced code is Markdown, the rest `RecursiveChunker`'s.
    """

    def __init__(self, chunk_size: int = 512, overlap: int = 50) -> None:
        self._code = CodeChunker(chunk_size, overlap)
        self._legal = LegalChunker(chunk_size, overlap)
        self._table = TableChunker(chunk_size, overlap)
        self._markdown = MarkdownChunker(chunk_size, overlap)
        self._recursive = RecursiveChunker(chunk_size, overlap)

    def split(self, extracted: ExtractedText) -> list[Span]:
        return list(self._chosen(extracted).split(extracted))

    def _chosen(self, extracted: ExtractedText) -> Chunker:
        text = extracted.text
        if extracted.metadata.get("kind") == "code":
            return self._code
        if _MAY_BE_ACT.search(text) and self._is_act(text):
            return self._legal
        if sum(row.end() - row.start() for row in _ROW.finditer(text)) > len(text) * TABLE_SHARE:
            return self._table
        return self._markdown if _STRUCTURE.search(text) else self._recursive

    def _is_act(self, text: str) -> bool:
        units = sum(unit.is_widest for unit in read_units(text))
        return units >= MIN_UNITS and len(text) <= units * MAX_UNIT
