"""Chooses the chunker by what the text looks like."""

import re

from ingestion.chunking.markdown import MarkdownChunker
from ingestion.chunking.recursive import RecursiveChunker
from ingestion.types import ExtractedText, Span

_STRUCTURE = re.compile(
    r"^(?:#{1,6}[ \t]+\S"  # a heading
    r"|(?:```|~~~)"  # a fence
    r"|\|?[ \t]*:?-{2,}:?[ \t]*\|)",  # the delimiter row of a table
    re.MULTILINE,
)


class AdaptiveChunker:
    """`MarkdownChunker` for a text with headings, tables or fenced code, `RecursiveChunker` for any other."""

    def __init__(self, chunk_size: int = 512, overlap: int = 50) -> None:
        self._markdown = MarkdownChunker(chunk_size, overlap)
        self._recursive = RecursiveChunker(chunk_size, overlap)

    def split(self, extracted: ExtractedText) -> list[Span]:
        chosen = self._markdown if _STRUCTURE.search(extracted.text) else self._recursive
        return chosen.split(extracted)
