"""The numbers and bullets that Word shows before paragraphs but does not store in their text."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

_ROMAN = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
)
_ROMAN_ONES = ((9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_LEVELS = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class ListLevel:
    """How a level of a list is numbered: `template` is Word's "%1.%2.", `format` "decimal", "bullet", ..."""

    format: str
    template: str
    start: int


class Numbering:
    """Counts the lists of one document; ask for labels in the order of the text."""

    def __init__(self, document: Any) -> None:
        from docx.oxml.ns import qn

        self._qn = qn
        self._levels: dict[str, dict[int, ListLevel]] = {}
        self._lists: dict[str, str] = {}
        self._counters: dict[str, list[int | None]] = defaultdict(lambda: [None] * _LEVELS)
        root = _numbering_root(document)
        if root is not None:
            self._read(root)

    def label(self, list_id: str, depth: int) -> str:
        """What stands before the next paragraph of the list: "3.", "§ 2.", "a)", "-" for bullets, "" for
        none.
        """
        abstract = self._lists.get(list_id, "")
        level = self._levels.get(abstract, {}).get(depth)
        if level is None or level.format == "none":
            return ""
        self._count(abstract, depth, level)
        return "-" if level.format == "bullet" else self._filled(abstract, level)

    def _count(self, abstract: str, depth: int, level: ListLevel) -> None:
        counters = self._counters[abstract]
        current = counters[depth]
        counters[depth] = level.start if current is None else current + 1
        counters[depth + 1 :] = [None] * (_LEVELS - depth - 1)

    def _filled(self, abstract: str, level: ListLevel) -> str:
        text = level.template
        for depth, counter in enumerate(self._counters[abstract]):
            shown = self._levels[abstract].get(depth)
            if shown is not None:
                text = text.replace(f"%{depth + 1}", numeral(shown.start if counter is None else counter, shown.format))
        return " ".join(text.split())

    def _read(self, root: Any) -> None:
        qn = self._qn
        for abstract in root.findall(qn("w:abstractNum")):
            key = abstract.get(qn("w:abstractNumId"), "")
            levels = abstract.findall(qn("w:lvl"))
            self._levels[key] = {
                depth: level for one in levels for depth, level in [self._level(one)] if depth < _LEVELS
            }
        for one in root.findall(qn("w:num")):
            reference = one.find(qn("w:abstractNumId"))
            if reference is not None:
                self._lists[one.get(qn("w:numId"), "")] = reference.get(qn("w:val"), "")

    def _level(self, element: Any) -> tuple[int, ListLevel]:
        def value(tag: str, default: str) -> str:
            found = element.find(self._qn(tag))
            return default if found is None else str(found.get(self._qn("w:val"), default))

        start = value("w:start", "1")
        level = ListLevel(
            format=value("w:numFmt", "decimal"),
            template=value("w:lvlText", ""),
            start=int(start) if start.isdigit() else 1,
        )
        depth = element.get(self._qn("w:ilvl"), "0")
        return (int(depth) if depth.isdigit() else _LEVELS), level


def numeral(number: int, format_: str) -> str:
    """`number` as Word writes it in the number format: 4 is "4", "d", "D", "iv", "IV" or "04"."""
    formats: dict[str, Callable[[int], str]] = {
        "lowerLetter": _letters,
        "upperLetter": lambda one: _letters(one).upper(),
        "lowerRoman": _roman,
        "upperRoman": lambda one: _roman(one).upper(),
        "decimalZero": lambda one: f"{one:02d}",
    }
    return formats.get(format_, str)(number)


def _letters(number: int) -> str:
    """a to z, then aa, bb: Word repeats the letter."""
    return chr(ord("a") + (number - 1) % 26) * min((number - 1) // 26 + 1, 10) if number > 0 else str(number)


def _roman(number: int) -> str:
    if not 0 < number < 4000:
        return str(number)
    text = ""
    for value, letters in _ROMAN + _ROMAN_ONES:
        text += letters * (number // value)
        number %= value
    return text


def _numbering_root(document: Any) -> Any | None:
    from docx.opc.constants import RELATIONSHIP_TYPE

    try:
        return document.part.part_related_by(RELATIONSHIP_TYPE.NUMBERING).element
    except KeyError:
        return None
