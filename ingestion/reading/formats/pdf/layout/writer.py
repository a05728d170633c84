"""Paragraphs and tables as Markdown, with the place where each page begins."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass

from ingestion.reading.formats.pdf.layout.headings import HeadingScale
from ingestion.reading.formats.pdf.layout.hyphens import join_hyphenated
from ingestion.reading.formats.pdf.layout.paragraphs import Paragraph
from ingestion.reading.formats.pdf.layout.tables import Table
from ingestion.reading.pipe_tables import pipe_table
from ingestion.types import Page

Part = Paragraph | Table

_ITEM = re.compile(r"- |\d{1,3}[.)] ")
_ENDS_SENTENCE = re.compile(r"[.!?:;…|][\"”’)]*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """`title` is the first heading of the largest print on the first page, "" where there is none."""

    text: str
    pages: tuple[Page, ...]
    title: str


class PageWriter:
    """Writes page after page; a paragraph that runs over a page break stays one."""

    def __init__(self, scale: HeadingScale, known: Set[str]) -> None:
        self._scale, self._known = scale, known
        self._text: list[str] = []
        self._length = 0
        self._starts: list[int] = []
        self._before: Part | None = None
        self._titles: list[tuple[int, str]] = []

    def add_page(self, parts: Sequence[Part]) -> None:
        for index, part in enumerate(parts):
            self._separate(part, turns_page=index == 0)
            if index == 0:
                self._starts.append(self._length)
            self._append(self._rendered(part))
            self._before = part
        if not parts:
            self._starts.append(self._length)

    def finish(self) -> Composed:
        self._append("\n")
        ends = [*self._starts[1:], self._length]
        bounds = enumerate(zip(self._starts, ends, strict=True), start=1)
        return Composed(
            text="".join(self._text),
            pages=tuple(Page(number=number, start=start, end=end) for number, (start, end) in bounds),
            title=min(self._titles, key=lambda one: one[0])[1] if self._titles else "",
        )

    def _append(self, text: str) -> None:
        self._text.append(text)
        self._length += len(text)

    def _rendered(self, part: Part) -> str:
        if isinstance(part, Table):
            return pipe_table(part.rows)
        level = self._scale.level(part)
        if level and len(self._starts) == 1:
            self._titles.append((level, part.text))
        return f"{'#' * level} {part.text}" if level else part.text

    def _separate(self, part: Part, *, turns_page: bool) -> None:
        before = self._before
        if before is None:
            return
        if turns_page and isinstance(before, Paragraph) and isinstance(part, Paragraph) and self._goes_on(before, part):
            if before.hyphenated:
                self._close_word(part)
            else:
                self._append("\n")
        else:
            self._append("\n" if _is_item(before) and _is_item(part) else "\n\n")

    def _goes_on(self, before: Paragraph, part: Paragraph) -> bool:
        """Whether `part`, the first on its page, is the rest of the paragraph `before`."""
        is_body = not self._scale.level(before) and not self._scale.level(part)
        return is_body and part.text[0].islower() and not _ENDS_SENTENCE.search(before.text)

    def _close_word(self, part: Paragraph) -> None:
        """Takes the hyphen back where it only cut the word that goes on with `part`."""
        last = self._text[-1]
        if not join_hyphenated(last, part.text, self._known).startswith(last):
            self._text[-1] = last[:-1]
            self._length -= 1


def _is_item(part: Part) -> bool:
    return isinstance(part, Paragraph) and _ITEM.match(part.text) is not None
