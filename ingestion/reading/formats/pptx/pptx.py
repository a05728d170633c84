"""PPTX: a heading and the text of each slide in reading order, its tables and the speaker's notes."""

from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from ingestion.reading.encoding import clean
from ingestion.reading.failures import reading
from ingestion.reading.formats.pptx.shapes import A, P, chart_blocks, is_title, notes_lines, shape_blocks
from ingestion.reading.ooxml import OFFICE_RELATION, Parts
from ingestion.reading.pages import joined_pages
from ingestion.types import ExtractedText, Progress

_PRESENTATION = "ppt/presentation.xml"
_HIDDEN = ("0", "false")


class PptxExtractor:
    """Slides are pages. Left out: pictures, animations, comments, and what the master repeats on every slide.

    Raises Encrypted-, Corrupt- or EmptyDocument, DocumentTooLarge.
    """

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        with reading("PPTX"), Parts(content) as parts:
            title = clean(parts.title())
            slides = [(part, parts.tree(part)) for part in _slides(parts)]
            texts = ["\n\n".join(_slide(parts, part, slide)) for part, slide in slides]
        progress(1, 1)
        text, pages = joined_pages(texts)
        hidden = [number for number, (_part, slide) in enumerate(slides, 1) if slide.get("show") in _HIDDEN]
        return ExtractedText(
            text=text, extractor="pptx", title=title or _first_heading(text), pages=pages, warnings=_warnings(hidden)
        )


def _slides(parts: Parts) -> Iterator[str]:
    """The paths of the slides in the order of the show."""
    relations = parts.relations(_PRESENTATION)
    for one in parts.tree(_PRESENTATION).iter(f"{P}sldId"):
        relation = relations.get(one.get(f"{OFFICE_RELATION}id", ""))
        if relation is not None and relation.target in parts:
            yield relation.target


def _slide(parts: Parts, part: str, slide: Any) -> Iterator[str]:
    """Its title as a heading, then blocks in the order of the drawing, then diagrams, charts and notes."""
    tree = slide.find(f"{P}cSld/{P}spTree")
    if tree is not None:
        shapes = list(tree)
        titles = [shape for shape in shapes if is_title(shape)]
        for shape in titles[:1]:
            if heading := " ".join(" ".join(shape_blocks(shape)).split()):
                yield f"# {heading}"
        for shape in shapes:
            if shape not in titles[:1]:
                yield from shape_blocks(shape)
    for relation in parts.relations(part).values():
        if relation.target in parts:
            yield from _related(relation.kind, parts, relation.target)


def _related(kind: str, parts: Parts, part: str) -> Iterator[str]:
    if kind == "notesSlide" and (notes := "\n".join(notes_lines(parts.tree(part)))):
        yield notes
    elif kind == "chart":
        yield from chart_blocks(parts.tree(part))
    elif kind == "diagramData" and (lines := "\n".join(_diagram_lines(parts.tree(part)))):
        yield lines


def _diagram_lines(diagram: Any) -> Iterator[str]:
    for paragraph in diagram.iter(f"{A}p"):
        if text := "".join(one.text or "" for one in paragraph.iter(f"{A}t")).strip():
            yield f"- {text}"


def _first_heading(text: str) -> str:
    return text.partition("\n")[0].removeprefix("# ") if text.startswith("# ") else ""


def _warnings(hidden: list[int]) -> tuple[str, ...]:
    numbers = ", ".join(map(str, hidden))
    return (
        _("These slides are hidden in the show and were read all the same: %(slides)s.") % {"slides": numbers},
    ) * bool(hidden)
