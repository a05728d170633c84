"""The pieces of what an answer cites, each with what stands above it: that is part of what it says."""

from collections.abc import Iterator, Sequence

from rag.search.reading.pieces import Piece, led_in, pieces_of
from rag.types import Citation, Passage


def cited_pieces(passages: Sequence[Passage], citations: Sequence[Citation]) -> Iterator[tuple[Piece, str]]:
    """The pieces of cited passages, each with its text under title, headings and header or lead-in."""
    cited = {citation.chunk_id for citation in citations}
    for passage in passages:
        if passage.chunk_id in cited:
            for piece in pieces_of(passage.text, passage=0):
                yield piece, _framed(piece, passage)


def _framed(piece: Piece, passage: Passage) -> str:
    above = (passage.title, *passage.heading_path, *piece.above, piece.heading)
    return " ".join((*above, led_in(piece, passage), piece.text))
