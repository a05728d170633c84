"""Builds the blocks of an RTF text as its reader meets them."""

from ingestion.reading.encoding import clean
from ingestion.reading.pipe_tables import pipe_table

_BULLETS = "•·§o-–—*▪●"


class BlockWriter:
    """Paragraphs, rows of tables and footnotes in the order of the text. `outline`: the level of a heading, or 0."""

    def __init__(self) -> None:
        self.outline = 0
        self._blocks: list[str] = []
        self._text: list[str] = []
        self._label: list[str] = []
        self._cells: list[str] = []
        self._rows: list[list[str]] = []
        self._in_table = False
        self._notes: list[str] = []
        self._note_count = 0
        self._outside: list[list[str]] = []

    def write(self, text: str, *, label: bool) -> None:
        (self._label if label else self._text).append(text)

    def reset(self) -> None:
        self.outline, self._in_table = 0, False

    def begin_note(self) -> None:
        self._note_count += 1
        self._text.append(f"[^{self._note_count}]")
        self._outside.append(self._text)
        self._text = []

    def end_note(self) -> None:
        self._notes.append(f"[^{self._note_count}]: {_one_line(self._text)}")
        self._text = self._outside.pop()

    def end_paragraph(self) -> None:
        if self._outside or self._in_table:
            self._text.append(" ")
            return
        text, label = _lines(self._text), _one_line(self._label)
        self._text, self._label = [], []
        if not text:
            return
        self._end_table()
        if 0 < self.outline < 10:
            self._blocks.append(f"{'#' * min(self.outline, 6)} {f'{label} ' if label else ''}{' '.join(text.split())}")
        else:
            self._blocks.append(f"{_mark(label)}{text}")
        self._end_notes()

    def table(self, word: str) -> None:
        """`intbl`, `cell` and `row`, the last two also of a table in a table."""
        if word == "intbl":
            self._in_table = True
        elif word in ("cell", "nestcell"):
            self._cells.append(f"{_mark(_one_line(self._label))}{_one_line(self._text)}")
            self._text, self._label = [], []
        elif self._cells:
            self._rows.append(self._cells)
            self._cells = []

    def finish(self) -> list[str]:
        self._in_table = False
        while self._outside:
            self.end_note()
        self.end_paragraph()
        self._rows += [self._cells] if self._cells else []
        self._end_table()
        self._end_notes()
        return self._blocks

    def _end_table(self) -> None:
        rows = [row for row in self._rows if any(row)]
        if len(rows) > 1 and any(sum(map(bool, row)) > 1 for row in rows):
            self._blocks.append(pipe_table(rows))
        else:
            self._blocks += [cell for row in rows for cell in row if cell]
        self._rows = []

    def _end_notes(self) -> None:
        self._blocks += self._notes
        self._notes = []


def _mark(label: str) -> str:
    return "" if not label else "- " if label in _BULLETS else f"{label} "


def _one_line(pieces: list[str]) -> str:
    return " ".join(_lines(pieces).split())


def _lines(pieces: list[str]) -> str:
    joined = "".join(pieces).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")  # joins pairs
    return "\n".join(line for line in (" ".join(one.split()) for one in clean(joined).split("\n")) if line)
