"""The pieces of a passage of which an answer is made: sentences, list items, table rows, code; each with its frame."""

import re
from dataclasses import dataclass, replace
from typing import Literal

from ingestion.text.sentences import sentence_spans
from rag.types import Passage

Kind = Literal["sentence", "item", "row", "code"]

MARKER = re.compile(r"(?:[-*•–—]\s+|>\s*|\(?\d{1,3}[.)]\s+|[a-z]\)\s+)+")
_FENCED = re.compile(r"^[ \t]*(?P<code>```.*?(?:^[ \t]*```|\Z))", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"#{1,6}\s+(?P<marked>.+)|(?P<underlined>[^|]+)\n[=\-~]{3,}\s*\Z", re.DOTALL)
_RULE = re.compile(r"[=\-~*_]{3,}\s*$|\|[\s:|-]+\|?\s*$|```|:::|(?:>\s*)?\[!\w+\]\s*$|!\[[^\]]*\]\([^)]*\)\s*$")
_QUESTION = re.compile(r"[^|?.!\n]+\?\**\s*\Z")  # of its own paragraph, as in a list of frequent questions
_BELOW_ALL = 9  # the level of such a question among headings
_WORD = re.compile(r"[^\W_]")
_DIGIT = re.compile(r"\d")
_LEAST_WORDS = 4  # fewer are a label, unless there is a number
_LONGEST_ITEM = 320  # characters; further sentences of an item as long are pieces of their own


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Characters [start, end) of the text of `passages[passage]`, the `position`-th of its pieces from 0.

    `heading` is the one it stands under, number `section` in the passage, `above` those that this one stands under;
    `lead_in` is the span of the line with a colon before its list, `header` the first row of its table as written; ""
    or None where there is none. Sentences of one paragraph, items of one list, rows of one table have the same `unit`.
    """

    passage: int
    position: int
    start: int
    end: int
    text: str
    kind: Kind
    section: int = 0
    unit: int = 0
    heading: str = ""
    above: tuple[str, ...] = ()
    lead_in: tuple[int, int] | None = None
    header: str = ""

    @property
    def is_statement(self) -> bool:
        """Whether it is a whole sentence, as the numbered ones of a regulation are, not a part of a list's sentence."""
        plain = unmarked(self)
        return self.kind != "row" and plain[:1].isupper() and plain.endswith((".", "!", "?"))


def pieces_of(text: str, *, passage: int) -> list[Piece]:
    """The pieces of a passage's text in order. Headings, questions, rules, lead-ins are none, but frame the others."""
    reader = _PieceReader(text, passage)
    code = [match.span("code") for match in _FENCED.finditer(text)]
    prose = [span for span in sentence_spans(text) if not any(a <= span[0] < b for a, b in code)]
    for start, end in sorted([*prose, *code]):
        reader.read(start, end)
    return reader.pieces


def unmarked(piece: Piece) -> str:
    """Its text without the dash or the number that an item begins with."""
    return MARKER.sub("", piece.text, count=1) if piece.kind == "item" else piece.text


def led_in(piece: Piece, passage: Passage) -> str:
    """What stands before it where it is shown: the header of its table, or the line before its list."""
    return piece.header or (passage.text[slice(*piece.lead_in)] if piece.lead_in else "")


def framed(piece: Piece, passage: Passage) -> tuple[str, str]:
    """As a model reads it: the title and the nearest heading, and what the reader will be shown."""
    heading = piece.heading or "".join(passage.heading_path[-1:])
    return f"{passage.title} {heading}", f"{led_in(piece, passage)} {piece.text}"


class _PieceReader:
    """Goes down the text and keeps what frames the next piece."""

    def __init__(self, text: str, passage: int) -> None:
        self.pieces: list[Piece] = []
        self._text = text
        self._passage = passage
        self._heading = self._header = ""
        self._lead_in: tuple[int, int] | None = None
        self._path: list[tuple[int, str]] = []
        self._section = self._unit = 0

    def read(self, start: int, end: int) -> None:
        written = self._text[start:end]
        if heading := _HEADING.match(written):
            self._read_heading(heading["marked"] or heading["underlined"], level=written.find(" "))
        elif written.startswith("```") and "\n" in written:
            self._add(start, end, written)
        elif _QUESTION.match(written) and self._is_paragraph(start, end):
            self._read_heading(written, level=_BELOW_ALL)
        elif _RULE.match(written):
            self._read_rule(written)
        elif written.endswith(":"):
            self._frame(lead_in=(start, end))
        elif not self._continues_item(start, end):
            self._add(start, end, written)

    def _read_heading(self, heading: str, *, level: int) -> None:
        self._path = [(above, title) for above, title in self._path if above < level] + [(level, heading)]
        self._heading = heading
        self._section += 1
        self._frame()

    def _frame(self, *, lead_in: tuple[int, int] | None = None) -> None:
        self._lead_in, self._header = lead_in, ""
        self._unit += 1

    def _read_rule(self, written: str) -> None:
        """A row above a ruling of cells was the table's header."""
        if written.startswith("|") and self.pieces and self.pieces[-1].kind == "row":
            self._header = self.pieces.pop().text

    def _add(self, start: int, end: int, written: str) -> None:
        kind = _kind(written)
        if self._begins_unit(kind, start):
            self._frame()
        if not _WORD.search(written):  # a row of empty cells
            return
        if kind == "sentence" and len(written.split()) < _LEAST_WORDS and not _DIGIT.search(written):
            return
        self.pieces.append(
            Piece(
                passage=self._passage,
                position=len(self.pieces),
                start=start,
                end=end,
                text=written,
                kind=kind,
                section=self._section,
                unit=self._unit,
                heading=self._heading,
                above=tuple(title for _, title in self._path[:-1]),
                lead_in=self._lead_in,
                header=self._header,
            )
        )

    def _is_paragraph(self, start: int, end: int) -> bool:
        return self._text[max(0, start - 1) : start] in ("", "\n") and self._text[end : end + 1] in ("", "\n")

    def _begins_unit(self, kind: Kind, start: int) -> bool:
        last = self.pieces[-1] if self.pieces and self.pieces[-1].unit == self._unit else None
        if kind != "sentence":
            return last is not None and last.kind != kind
        return last is None or last.kind != kind or "\n\n" in self._text[last.end : start]

    def _continues_item(self, start: int, end: int) -> bool:
        """A further sentence in the line of a short list item is part of it."""
        last = self.pieces[-1] if self.pieces else None
        if not last or last.kind != "item" or "\n" in self._text[last.end : start] or end - last.start > _LONGEST_ITEM:
            return False
        self.pieces[-1] = replace(last, end=end, text=self._text[last.start : end])
        return True


def _kind(written: str) -> Kind:
    if written.startswith("|"):
        return "row"
    if written.startswith("```"):
        return "code"
    return "item" if MARKER.match(written) else "sentence"
