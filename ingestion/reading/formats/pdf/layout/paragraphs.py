"""Lines as paragraphs, headings and lists."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import pairwise
from statistics import mode

from ingestion.reading.formats.pdf.layout.hyphens import join_hyphenated
from ingestion.reading.formats.pdf.layout.lines import Line

_ITEM = re.compile(r"- |\[\^|\d{1,3}(?:\.\d{1,3})*[.)](?:\s|$)|[a-zA-Z]\)|§\s?\d|Art\.\s?\d|[IVX]{1,5}\.\s")
# What typesetting never parts: "i", "w", "z" from the next word, the groups of a telephone number or an
# amount.
_FIRST_UNIT = re.compile(r"(?:[\d()+/.,–-]+ |[^\W\d] )*\S+")
_SENTENCE_END = (".", "!", "?", ":", ";")
_PITCH_TOLERANCE = 1.2
_INDENT = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Lines that belong together as one line of text; rows of figures keep a line each."""

    text: str
    size: float
    bold: bool
    lines: int
    hyphenated: bool


def paragraphs_of(lines: Sequence[Line], known: Set[str]) -> list[Paragraph]:
    """The paragraphs of a page; `known` are the words of the document, for words cut at line ends."""
    if not lines:
        return []
    pitch = _common_pitch(lines)
    groups = [[lines[0]]]
    for index in range(1, len(lines)):
        if _begins(lines, index, pitch, groups[-1][0]):
            groups.append([])
        groups[-1].append(lines[index])
    return [_paragraph(group, known) for group in groups]


def _common_pitch(lines: Sequence[Line]) -> float:
    """The distance of baselines that occurs most, in points, to half a point."""
    steps = [
        round(2 * (one.box.bottom - other.box.bottom)) / 2
        for one, other in pairwise(lines)
        if 0.5 * other.size < one.box.bottom - other.box.bottom < 2.5 * other.size
    ]
    return mode(steps) if steps else 1.2 * lines[0].size


def _begins(lines: Sequence[Line], index: int, pitch: float, opening: Line) -> bool:
    """Whether a paragraph begins with the line at `index`; `opening` is the first line of the one before."""
    line, before = lines[index], lines[index - 1]
    if line.opens:
        return True
    if before.hyphenated and line.text[0].islower():
        return False
    if _ITEM.match(line.text) or line.bold != before.bold or abs(line.size - before.size) > 0.12 * before.size:
        return True
    if line.tabular or before.tabular:
        return not (line.tabular and before.tabular) or _step(before, line) > _PITCH_TOLERANCE * pitch
    if _step(before, line) < 0:  # the next column
        return before.text.endswith(_SENTENCE_END) or not line.text[0].islower()
    if _step(before, line) > _PITCH_TOLERANCE * pitch or _had_room(lines, index):
        return True
    indented = line.box.left > before.box.left + _INDENT * line.size
    return indented and not (before is opening and _ITEM.match(opening.text)) and not line.text[0].islower()


def _step(before: Line, line: Line) -> float:
    return before.box.bottom - line.box.bottom


def _had_room(lines: Sequence[Line], index: int) -> bool:
    """Whether the first word of the line would have fitted on the line before: then the break is meant."""
    line, before = lines[index], lines[index - 1]
    near = [one for one in lines[max(0, index - 15) : index + 15] if abs(one.size - before.size) < 0.2 * before.size]
    edge = max(one.box.right for one in near if abs(one.box.left - before.box.left) < 5 * before.size)
    first = _FIRST_UNIT.match(line.text)
    length = first.end() if first else len(line.text)
    width = (line.box.right - line.box.left) * (length + 1) / max(len(line.text), 1)
    return before.box.right + width < edge - 0.5 * line.size


def _paragraph(group: Sequence[Line], known: Set[str]) -> Paragraph:
    text = group[0].text
    for before, line in pairwise(group):
        if line.tabular and before.tabular:
            text = f"{text}\n{line.text}"
        elif before.hyphenated:
            text = join_hyphenated(text, line.text, known)
        else:
            text = f"{text} {line.text}"
    return Paragraph(
        text=text,
        size=max(line.size for line in group),
        bold=all(line.bold for line in group),
        lines=len(group),
        hyphenated=group[-1].hyphenated,
    )
