"""Where the words of a quote stand on a page of a PDF.

The extracted text differs from the text layer: words cut at the end of a line are joined, ligatures written out, tables
and lists have signs of Markdown. What is left when only letters and digits are compared is the same in both.
"""

import ctypes
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from ingestion.reading.formats.pdf.mojibake import misread_letters
from ingestion.types import Rectangle

_MOST_RECTANGLES = 400
_GRID = 100_000  # device units across the page: pdfium gives places on its screen as whole numbers
_PIECE = re.compile(r"[^\n|]+")
_SHORTEST_ALONE = 6
"""Letters: a shorter piece (a number in a table) is looked for only close to one that was found."""

_CLOSE = 200  # letters
_SAME_LINE = 0.5  # of the height of the lower one of two boxes
_WORD_GAP = 2.5  # heights: a wider hole in a line, as between columns, stays unmarked


class _Box(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float


class _Letters(NamedTuple):
    """The letters and digits of a text, lower case, and of each the index of the character it comes from."""

    text: str
    indices: list[int]


def quote_places(page: Any, *, text: str, start: int, end: int) -> tuple[Rectangle, ...]:
    """Rectangles around characters [start, end) of `text`, which is what was extracted from the open page.

    One for each line. Empty where the text layer does not have the words, as on a scanned page.
    """
    text_page = page.get_textpage()
    layer = _layer(text_page)
    boxes = _boxes(page, text_page, list(_found(layer, text, start, end)))
    return tuple(_rectangle(box) for box in _lines(boxes))[:_MOST_RECTANGLES]


def _layer(text_page: Any) -> _Letters:
    """Of the whole page, by pdfium's numbers of characters."""
    import pypdfium2.raw as pdfium

    codes = [pdfium.FPDFText_GetUnicode(text_page.raw, index) for index in range(text_page.count_chars())]
    written = "".join(chr(code) if code < 0x110000 and not 0xD800 <= code <= 0xDFFF else " " for code in codes)
    right = misread_letters(written)
    return _letters(written if not right else "".join(right.get(ord(one), one)[:1] for one in written))


def _letters(text: str) -> _Letters:
    kept, indices = [], []
    for index, character in enumerate(text):
        for letter in unicodedata.normalize("NFKC", character).lower():
            if letter.isalnum():
                kept.append(letter)
                indices.append(index)
    return _Letters("".join(kept), indices)


def _found(layer: _Letters, text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The runs of characters of the layer, first and last, that say what the quote says."""
    whole = _letters(text)
    first, last = bisect_left(whole.indices, start), bisect_left(whole.indices, end)
    expected = round(first * len(layer.text) / max(1, len(whole.text)))
    if last <= first:
        return
    if (place := _nearest(layer.text, whole.text[first:last], expected)) is not None:
        yield layer.indices[place], layer.indices[place + last - first - 1]
        return
    yield from _pieces(layer, text[start:end], expected)


def _pieces(layer: _Letters, quote: str, expected: int) -> Iterator[tuple[int, int]]:
    """Line by line and cell by cell, then by halves, where the page has another order or something in between."""
    begun = False
    pieces = _PIECE.findall(quote)[::-1]
    while pieces:
        piece = pieces.pop()
        wanted = _letters(piece).text
        place = _nearest(layer.text, wanted, expected) if wanted else None
        if place is None:
            words = piece.split()
            pieces += [" ".join(words[len(words) // 2 :]), " ".join(words[: len(words) // 2])] if words[1:] else []
        elif len(wanted) >= _SHORTEST_ALONE or (begun and abs(place - expected) <= _CLOSE):
            yield layer.indices[place], layer.indices[place + len(wanted) - 1]
            begun, expected = True, place + len(wanted)


def _nearest(text: str, wanted: str, expected: int) -> int | None:
    """Where `wanted` begins, of several places the nearest to `expected`."""
    after = text.find(wanted, expected)
    before = text.rfind(wanted, 0, expected + len(wanted))
    places = [place for place in (before, after) if place >= 0]
    return min(places, key=lambda place: abs(place - expected), default=None)


def _boxes(page: Any, text_page: Any, runs: Sequence[tuple[int, int]]) -> Iterator[_Box]:
    """Of the characters, in fractions of the page as it is seen: turned and cropped."""
    import pypdfium2.raw as pdfium

    rect, x, y = pdfium.FS_RECTF(), ctypes.c_int(), ctypes.c_int()
    for index in (index for first, last in runs for index in range(first, last + 1)):
        is_visible = pdfium.FPDFText_GetUnicode(text_page.raw, index) > 32
        if not is_visible or not pdfium.FPDFText_GetLooseCharBox(text_page.raw, index, ctypes.byref(rect)):
            continue
        corners = []
        for across, up in ((rect.left, rect.top), (rect.right, rect.bottom)):
            pdfium.FPDF_PageToDevice(page.raw, 0, 0, _GRID, _GRID, 0, across, up, ctypes.byref(x), ctypes.byref(y))
            corners.append((min(1.0, max(0.0, x.value / _GRID)), min(1.0, max(0.0, y.value / _GRID))))
        (x0, y0), (x1, y1) = corners
        yield _Box(min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))


def _lines(boxes: Iterator[_Box]) -> Iterator[_Box]:
    """Neighbours on one line become one box."""
    line: _Box | None = None
    for box in boxes:
        if box.right <= box.left or box.bottom <= box.top:
            continue
        if line is not None and _continues(line, box):
            line = _Box(*map(min, line[:2], box[:2]), *map(max, line[2:], box[2:]))
            continue
        if line is not None:
            yield line
        line = box
    if line is not None:
        yield line


def _continues(line: _Box, box: _Box) -> bool:
    height = min(line.bottom - line.top, box.bottom - box.top)
    shared = min(line.bottom, box.bottom) - max(line.top, box.top)
    gap = max(box.left - line.right, line.left - box.right)
    return shared >= _SAME_LINE * height and gap <= _WORD_GAP * height


def _rectangle(box: _Box) -> Rectangle:
    left, top = round(box.left, 4), round(box.top, 4)
    return Rectangle(
        left=left,
        top=top,
        width=round(min(1.0 - left, box.right - box.left), 4),
        height=round(min(1.0 - top, box.bottom - box.top), 4),
    )
