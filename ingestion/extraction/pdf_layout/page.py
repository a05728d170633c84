"""What stands on a page: characters and ruling lines with their places."""

import ctypes
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import pi
from typing import Any, NamedTuple

LINE_HYPHEN = "\x02"
"""How pdfium writes a hyphen at the end of a line; the line break after it is left out."""

MAX_OBJECTS = 5_000
"""Drawings of more objects are charts or maps; no table is looked for in them."""


class Box(NamedTuple):
    left: float
    bottom: float
    right: float
    top: float


class Character(NamedTuple):
    """One character, "\\n" at the ends of lines (without a place), and whether it is bold.

    `turns`: how many quarters clockwise its line runs against the rest of the page.
    """

    text: str
    box: Box
    bold: bool
    turns: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLayout:
    """A page as it is seen, rotation undone. `drawn` are the boxes of lines and rectangles."""

    characters: tuple[Character, ...]
    drawn: tuple[Box, ...]
    has_picture: bool


def read_page(page: Any) -> PageLayout:
    """The layout of an open `pypdfium2.PdfPage`; the caller holds the lock of pdfium."""
    text_page = page.get_textpage()
    try:
        found = tuple(_characters(text_page))
    finally:
        text_page.close()
    main = Counter(one.turns for one in found if not one.text.isspace()).most_common(1)
    turns = main[0][0] if main else 0
    drawn, has_picture = _objects(page)
    return PageLayout(
        characters=tuple(one._replace(box=turned(one.box, turns), turns=(one.turns - turns) % 4) for one in found),
        drawn=tuple(turned(box, turns) for box in drawn),
        has_picture=has_picture,
    )


def turned(box: Box, quarters: int) -> Box:
    """`box` on the page turned back by `quarters` counter-clockwise; coordinates may become negative."""
    if quarters == 1:
        return Box(-box.top, box.left, -box.bottom, box.right)
    if quarters == 2:
        return Box(-box.right, -box.top, -box.left, -box.bottom)
    return Box(box.bottom, -box.right, box.top, -box.left) if quarters == 3 else box


def _characters(text_page: Any) -> Iterator[Character]:
    import pypdfium2.raw as pdfium

    handle = text_page.raw
    rect = pdfium.FS_RECTF()
    place = ctypes.byref(rect)
    words = _Words(handle)
    for index in range(pdfium.FPDFText_CountChars(handle)):
        code = pdfium.FPDFText_GetUnicode(handle, index)
        words.see(index, code)
        if code in (10, 13):
            yield Character("\n", Box(0, 0, 0, 0), False)
        elif code and not 0xD800 <= code <= 0xDFFF and pdfium.FPDFText_GetLooseCharBox(handle, index, place):
            box = Box(rect.left, rect.bottom, rect.right, rect.top)
            yield Character(LINE_HYPHEN if code == 0xFFFE else chr(code), box, words.bold, words.turns)


class _Words:
    """Weight and direction of print, asked only at the start of words: asking is half the cost."""

    def __init__(self, handle: Any) -> None:
        import pypdfium2.raw as pdfium

        self._pdfium, self._handle = pdfium, handle
        self._name = ctypes.create_string_buffer(128)
        self._flags = ctypes.c_int()
        self._in_word = False
        self.bold, self.turns = False, 0

    def see(self, index: int, code: int) -> None:
        if code > 32 and not self._in_word:
            self.bold = self._is_bold(index)
            self.turns = round(self._pdfium.FPDFText_GetCharAngle(self._handle, index) / (pi / 2)) % 4
        self._in_word = code > 32

    def _is_bold(self, index: int) -> bool:
        self._pdfium.FPDFText_GetFontInfo(self._handle, index, self._name, 128, ctypes.byref(self._flags))
        name = self._name.value.lower()
        return b"bold" in name or b"black" in name or self._pdfium.FPDFText_GetFontWeight(self._handle, index) >= 600


def _objects(page: Any) -> tuple[tuple[Box, ...], bool]:
    import pypdfium2.raw as pdfium

    count = pdfium.FPDFPage_CountObjects(page.raw)
    drawn: list[Box] = []
    has_picture = False
    for index in range(min(count, MAX_OBJECTS)):
        item = pdfium.FPDFPage_GetObject(page.raw, index)
        kind = pdfium.FPDFPageObj_GetType(item)
        has_picture = has_picture or kind == pdfium.FPDF_PAGEOBJ_IMAGE
        if kind == pdfium.FPDF_PAGEOBJ_PATH and (box := _bounds(pdfium, item)):
            drawn.append(box)
    return (tuple(drawn) if count <= MAX_OBJECTS else ()), has_picture or count > MAX_OBJECTS


def _bounds(pdfium: Any, item: Any) -> Box | None:
    sides = [ctypes.c_float() for _ in range(4)]
    found = pdfium.FPDFPageObj_GetBounds(item, *map(ctypes.byref, sides))
    return Box(*(side.value for side in sides)) if found else None
