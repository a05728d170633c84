"""DOCX: headings, lists with their numbers and tables in the order of the text."""

import re
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from typing import Any

from ingestion.reading.containers import check_office_archive
from ingestion.reading.encoding import clean
from ingestion.reading.failures import reading, require_text
from ingestion.reading.formats.docx.notes import Notes, without_marks
from ingestion.reading.formats.docx.numbering import Numbering
from ingestion.reading.formats.docx.text import (
    ParagraphStyle,
    blocks,
    is_table,
    paragraph_text,
    rows,
    style_name,
    style_of,
)
from ingestion.reading.ooxml import refuse_doctype
from ingestion.reading.pipe_tables import pipe_table
from ingestion.reading.typography import plain_typography
from ingestion.types import ExtractedText, Progress

_HEADING_STYLE = re.compile(r"heading ([1-9])")
_SPACES = re.compile(r"[ \t]+")
_TYPED_ITEM = re.compile(r"- |\d{1,3}[.)]\s|[a-z]\)\s")
_MAX_ANCESTORS = 20
_MAX_HEADING = 300
"""Characters; whole paragraphs in a heading style are body text that someone wanted large."""


class DocxExtractor:
    """Body text with footnotes and endnotes; tracked changes as if all of them were accepted.

    Left out: comments, headers and footers, pictures, charts. Raises Encrypted-, Corrupt- or EmptyDocument,
    DocumentTooLarge.
    """

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        check_office_archive(content)
        with reading("DOCX"):
            import docx

            document = docx.Document(BytesIO(content))
            refuse_doctype(document.element)  # what stands behind an entity would be left out without a word
            body = _Body(document)
            text = body.markdown()
            title = " ".join((document.core_properties.title or "").split())
        progress(1, 1)
        return ExtractedText(text=require_text(text), extractor="docx", title=clean(title) or body.title)


class _Body:
    """Walks through one document; `title` is its paragraph in the title style or its first heading."""

    def __init__(self, document: Any) -> None:
        self.title = ""
        self._document = document
        self._numbering = Numbering(document)
        self._notes = Notes(document)
        self._styles = _styles(document)

    def markdown(self) -> str:
        pieces: list[str] = []
        listed = False
        for block, in_list in self._noted_blocks():
            pieces += ["\n" if listed and in_list else "\n\n", block]
            listed = in_list
        return clean("".join(pieces[1:]))

    def _noted_blocks(self) -> Iterator[tuple[str, bool]]:
        """Each block followed by the notes whose marks it bears."""
        for block, in_list in self._blocks():
            marked, notes = self._notes.marked(block)
            if marked.strip():
                yield marked, in_list
            yield from ((note, False) for note in notes)

    def _blocks(self) -> Iterator[tuple[str, bool]]:
        """Each block as Markdown, and whether it is an item of a list."""
        for block in blocks(self._document.element.body):
            if is_table(block):
                yield from ((text, False) for text in _table(list(rows(block))))
            else:
                text, in_list = self._paragraph(block)
                if text:
                    yield text, in_list

    def _paragraph(self, paragraph: Any) -> tuple[str, bool]:
        inherited = self._styles.get(style_name(paragraph), ParagraphStyle())
        style = style_of(paragraph, inherited)
        text = _tidy(paragraph_text(paragraph))
        if not text:
            return "", False
        label = self._numbering.label(style.list_id, style.depth) if style.list_id not in ("", "0") else ""
        if (style.outline or style.is_title) and len(text) <= _MAX_HEADING:
            return self._heading(" ".join(f"{label} {text}".split()), style), False
        if not label:
            return text, _TYPED_ITEM.match(text) is not None
        lines = text.replace("\n", "\n" + "  " * (style.depth + 1))
        return f"{'  ' * style.depth}{label} {lines}", True

    def _heading(self, text: str, style: ParagraphStyle) -> str:
        if style.is_title or not self.title:
            self.title = without_marks(text)
        return f"{'#' * min(style.outline or 1, 6)} {text}"


def _styles(document: Any) -> dict[str, ParagraphStyle]:
    """What each paragraph style means. Word stores the built-in names in English whatever its language."""
    elements = {style.style_id: style.element for style in document.styles if style.style_id}
    return {style_id: _style(style_id, elements) for style_id in elements}


def _style(style_id: str, elements: dict[str, Any]) -> ParagraphStyle:
    chain: list[Any] = []
    while style_id in elements and len(chain) < _MAX_ANCESTORS:  # damaged files have styles based on each other
        chain.append(elements[style_id])
        style_id = chain[-1].basedOn_val or ""
    style = ParagraphStyle()
    for element in reversed(chain):
        name = (element.name_val or "").lower()
        style = style_of(element, style)
        if match := _HEADING_STYLE.fullmatch(name):
            style = replace(style, outline=int(match[1]))
        elif name == "title":
            style = replace(style, is_title=True)
    return style


def _table(cells: list[list[str]]) -> Iterator[str]:
    """A pipe table; a table of one row or one column only draws a frame and becomes paragraphs."""
    filled = [[_tidy(cell) for cell in row] for row in cells if any(cell.strip() for cell in row)]
    if len(filled) < 2 or all(sum(bool(cell) for cell in row) < 2 for row in filled):
        yield from (cell for row in filled for cell in row if cell)
    else:
        yield pipe_table(filled)


def _tidy(text: str) -> str:
    """Lines without doubled spaces and without those that are empty; dotted lines shortened."""
    lines = (_SPACES.sub(" ", plain_typography(clean(line))).strip() for line in text.split("\n"))
    return "\n".join(line for line in lines if line)
