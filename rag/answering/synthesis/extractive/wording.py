"""Pieces as a reader sees them: plain sentences, items under the line that introduces them, rows with headers, code."""

import re
from collections.abc import Sequence
from itertools import groupby

from ingestion.text.sentences import sentence_spans
from rag.answering.synthesis.extractive.selection import CitedBlock
from rag.search.reading.pieces import MARKER, Piece
from rag.understanding.entries import is_entry

_EMPHASIS = re.compile(r"(\*\*|__|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w))")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_BRACKETED_NUMBER = re.compile(r"\[(\d+(?:\s*[,–-]\s*\d+)*)\]")  # would be taken for a citation of ours
_TAG = re.compile(r"<\s*/?\s*(?:br|p|b|i|em|strong|ul|li)\s*/?\s*>|\[![A-Z]+\]", re.IGNORECASE)
_UNIT = re.compile(r"(?:Art\.\s*\d+[a-z]*\.?\s+)?(?:§\s*\d+[a-z]*\.?\s+)?")
_A_LIST = 3  # so many numbered sentences are shown one under the other
_LIST_COMMA = re.compile(r"[,;]\Z")


def worded(block: CitedBlock, text: str, *, number: int) -> str:
    """Paragraphs and lists, every statement followed by `[number]`; `text` is the passage's."""
    units = [list(pieces) for _, pieces in groupby(block.pieces, key=lambda piece: piece.unit)]
    return "\n\n".join(_unit_worded(pieces, text, mark=f"[{number}]") for pieces in units)


def _unit_worded(pieces: Sequence[Piece], text: str, *, mark: str) -> str:
    introduction = _introduction(pieces[0], text)
    if pieces[0].kind == "code":
        return "\n".join([f"{introduction} {mark}".strip(), *(piece.text for piece in pieces)])
    if pieces[0].header and len(pieces) > 1:
        return _table(pieces, mark=mark)
    statements = [_marked(piece, mark) for piece in pieces]
    few = len(statements) < _A_LIST and all(piece.is_statement for piece in pieces)
    if len(statements) == 1 or few or pieces[0].kind == "sentence":
        return " ".join(filter(None, (introduction, *statements)))
    return "\n".join(filter(None, [introduction, *(f"- {statement}" for statement in statements)]))


def readable(written: str) -> str:
    """Without bullets, numbers of provisions, emphasis and addresses of links, in one line."""
    plain = _EMPHASIS.sub("", _LINK.sub(r"\1", _TAG.sub(" ", written)))
    plain = _BRACKETED_NUMBER.sub(r"(\1)", MARKER.sub("", plain, count=1) if MARKER.match(plain) else plain)
    return " ".join(plain[_UNIT.match(plain).end() :].split())  # type: ignore[union-attr]  # it matches anything


def _marked(piece: Piece, mark: str) -> str:
    """What it says, `mark` after each of its sentences: every one of them is a claim."""
    said = _statement(piece)
    spans = sentence_spans(said) if piece.kind == "item" else [(0, len(said))]
    return " ".join(f"{said[start:end]} {mark}" for start, end in spans)


def _statement(piece: Piece) -> str:
    if piece.kind == "row":
        return _row(piece)
    return _LIST_COMMA.sub("", readable(piece.text)) if piece.kind == "item" else readable(piece.text)


def _introduction(piece: Piece, text: str) -> str:
    """The line with a colon before a list; the heading of an entry in a list of changes, and before an item that is no
    sentence of its own.
    """
    if piece.kind in ("item", "code") and piece.lead_in:
        return readable(text[slice(*piece.lead_in)])
    if piece.kind != "row" and is_entry(piece.heading):
        return f"{readable(piece.heading)}:"
    if piece.kind not in ("item", "code"):
        return ""
    return f"{readable(piece.heading).rstrip(':')}:" if piece.heading and readable(piece.text)[:1].islower() else ""


def _table(pieces: Sequence[Piece], *, mark: str) -> str:
    """Rows under their header, as Markdown; the mark is in the last cell of each."""
    names = _cells(pieces[0].header)
    rows = [[*(_cells(piece.text) + [""] * len(names))[: len(names)]] for piece in pieces]
    marked = [[*cells[:-1], f"{cells[-1]} {mark}"] for cells in rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (names, ["---"] * len(names), *marked))


def _row(piece: Piece) -> str:
    """A table row: each cell after the name of its column."""
    cells, names = _cells(piece.text), _cells(piece.header)
    names += [""] * (len(cells) - len(names))
    named = [f"{name}: {cell}" if name else cell for name, cell in zip(names, cells, strict=False) if cell]
    return "; ".join(named) if piece.header else " – ".join(named)


def _cells(row: str) -> list[str]:
    return [readable(cell) for cell in row.strip().strip("|").split("|")]
