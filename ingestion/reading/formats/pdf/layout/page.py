"""What stands on a page: characters and ruling lines with their places."""

import ctypes
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import pi
from struct import Struct
from typing import Any, NamedTuple

LINE_HYPHEN = "\x02"
"""How pdfium writes a hyphen at the end of a line; the line break after it is left out."""


class Box(NamedTuple):
    left: float
    bottom: float
    right: float
    top: float


class Character(NamedTuple):
    """One character, "\\n" at the ends of lines (without a place), and whether it is bold.

    `turns`: how many quarters clockwise its line runs against the rest of the page. `written`: what the program wrote
    in one go has one number; a text that is wider than its cell runs over the line, and has one number still.
    """

    text: str
    box: Box
    bold: bool
    turns: int = 0
    written: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLayout:
    """A page as it is seen, rotation undone. `drawn` are the boxes of lines and rectangles.

    `pictured`: the share of the page, 0 to 1, that its largest picture covers; drawings too rich to be a table's count
    as one. `size`: width and height in points.
    """

    characters: tuple[Character, ...]
    drawn: tuple[Box, ...]
    pictured: float = 0.0
    size: tuple[float, float] = (595.0, 842.0)


def turned(box: Box, quarters: int) -> Box:
    """`box` on the page turned back by `quarters` counter-clockwise; coordinates may become negative."""
    if quarters == 1:
        return Box(-box.top, box.left, -box.bottom, box.right)
    if quarters == 2:
        return Box(-box.right, -box.top, -box.left, -box.bottom)
    return Box(box.bottom, -box.right, box.top, -box.left) if quarters == 3 else box


def upright(characters: tuple[Character, ...], drawn: tuple[Box, ...]) -> tuple[tuple[Character, ...], tuple[Box, ...]]:
    """Both turned so that most of the text runs from left to right."""
    main = Counter(one.turns for one in characters if one.text != "\n").most_common(1)
    turns = main[0][0] if main else 0
    if not turns:
        return characters, drawn
    straight = (one._replace(box=turned(one.box, turns), turns=(one.turns - turns) % 4) for one in characters)
    return tuple(straight), tuple(turned(box, turns) for box in drawn)


def characters_of(text_page: Any) -> Iterator[Character]:
    """The characters of an open `pypdfium2.PdfTextPage` in the order of the file.

    This loop is a third of the time that a PDF takes, so it makes its tuples by the short way.
    """
    import pypdfium2.raw as pdfium

    handle, unicode_at, box_at = text_page.raw, pdfium.FPDFText_GetUnicode, pdfium.FPDFText_GetLooseCharBox
    rect = pdfium.FS_RECTF()
    place, sides, new = ctypes.byref(rect), Struct("4f").unpack_from, tuple.__new__
    prints = _Prints(handle)
    writing_at, address = prints.writing_at, prints.address
    bold, turns, written = False, 0, 0
    for index in range(pdfium.FPDFText_CountChars(handle)):
        code = unicode_at(handle, index)
        if code > 32:
            number = writing_at(address, index)
            if number != written:
                bold, turns, written = prints.of(index, number)
        elif code in (10, 13):
            yield _LINE_END
            continue
        if code and not 0xD800 <= code <= 0xDFFF and box_at(handle, index, place):
            left, top, right, bottom = sides(rect)
            box = new(Box, (left, bottom, right, top))
            yield new(Character, (LINE_HYPHEN if code == 0xFFFE else chr(code), box, bold, turns, written))


_LINE_END = Character("\n", Box(0, 0, 0, 0), False)


class _Prints:
    """Weight and direction of what the program wrote in one go, asked once for each.

    `writing_at(address, index)` is the address of the text object of a character, which serves as its number.
    """

    def __init__(self, handle: Any) -> None:
        import pypdfium2.raw as pdfium

        self._pdfium, self._handle = pdfium, handle
        self._name = ctypes.create_string_buffer(128)
        self._flags = ctypes.c_int()
        self._known: dict[int, tuple[bool, int, int]] = {}
        function = ctypes.cast(pdfium.FPDFText_GetTextObject, ctypes.c_void_p).value or 0
        self.address = ctypes.cast(handle, ctypes.c_void_p).value
        # As a plain number it comes four times as quickly as in pypdfium2's pointer.
        self.writing_at = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)(function)

    def of(self, index: int, written: int | None) -> tuple[bool, int, int]:
        """Whether the character is bold, its quarter turns, and the number of its text object."""
        number = written or 0
        if not number or number not in self._known:
            angle = self._pdfium.FPDFText_GetCharAngle(self._handle, index)
            self._known[number] = (self._is_bold(index), round(angle / (pi / 2)) % 4, number)
        return self._known[number]

    def _is_bold(self, index: int) -> bool:
        self._pdfium.FPDFText_GetFontInfo(self._handle, index, self._name, 128, ctypes.byref(self._flags))
        name = self._name.value.lower()
        return b"bold" in name or b"black" in name or self._pdfium.FPDFText_GetFontWeight(self._handle, index) >= 600
