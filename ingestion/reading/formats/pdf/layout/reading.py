"""A page of pdfium as a layout: its text, and what is drawn on it, inside of forms too."""

import ctypes
from collections.abc import Iterator
from typing import Any, NamedTuple

from ingestion.reading.formats.pdf.layout.page import Box, PageLayout, characters_of, upright

MAX_OBJECTS = 5_000
"""Drawings of more objects are charts or maps; no table is looked for in them."""

_MAX_DEPTH = 3

Matrix = tuple[float, float, float, float, float, float]


class _Drawing(NamedTuple):
    box: Box
    is_picture: bool


def read_page(page: Any) -> PageLayout:
    """The layout of an open `pypdfium2.PdfPage`; the caller holds the lock of pdfium."""
    text_page = page.get_textpage()
    try:
        found = tuple(characters_of(text_page))
    finally:
        text_page.close()
    drawings = list(_drawings(page))
    rich = len(drawings) > MAX_OBJECTS
    boxes = () if rich else tuple(one.box for one in drawings if not one.is_picture)
    width, height = page.get_size()
    characters, drawn = upright(found, boxes)
    return PageLayout(
        characters=characters,
        drawn=drawn,
        pictured=1.0 if rich else _largest_share(drawings, width * height),
        size=(width, height),
    )


def _largest_share(drawings: list[_Drawing], area: float) -> float:
    pictures = (one.box for one in drawings if one.is_picture)
    largest = max(((box.right - box.left) * (box.top - box.bottom) for box in pictures), default=0.0)
    return min(1.0, largest / max(area, 1.0))


def _drawings(page: Any) -> Iterator[_Drawing]:
    import pypdfium2.raw as pdfium

    count = pdfium.FPDFPage_CountObjects(page.raw)
    items = (pdfium.FPDFPage_GetObject(page.raw, index) for index in range(min(count, MAX_OBJECTS + 1)))
    for item in items:
        yield from _of_object(pdfium, item, (), 0)


def _of_object(pdfium: Any, item: Any, matrices: tuple[Matrix, ...], depth: int) -> Iterator[_Drawing]:
    kind = pdfium.FPDFPageObj_GetType(item)
    if kind in (pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_IMAGE):
        if box := _bounds(pdfium, item, matrices):
            yield _Drawing(box, kind == pdfium.FPDF_PAGEOBJ_IMAGE)
    elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < _MAX_DEPTH:
        inner = (_matrix(pdfium, item), *matrices)
        for index in range(min(pdfium.FPDFFormObj_CountObjects(item), MAX_OBJECTS)):
            yield from _of_object(pdfium, pdfium.FPDFFormObj_GetObject(item, index), inner, depth + 1)


def _matrix(pdfium: Any, item: Any) -> Matrix:
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFPageObj_GetMatrix(item, ctypes.byref(matrix))
    return matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f


def _bounds(pdfium: Any, item: Any, matrices: tuple[Matrix, ...]) -> Box | None:
    sides = [ctypes.c_float() for _ in range(4)]
    if not pdfium.FPDFPageObj_GetBounds(item, *map(ctypes.byref, sides)):
        return None
    box = Box(*(side.value for side in sides))
    for matrix in matrices:  # from the innermost form outwards
        box = _transformed(box, matrix)
    return box


def _transformed(box: Box, matrix: Matrix) -> Box:
    a, b, c, d, e, f = matrix
    corners = [(x, y) for x in (box.left, box.right) for y in (box.bottom, box.top)]
    xs = [a * x + c * y + e for x, y in corners]
    ys = [b * x + d * y + f for x, y in corners]
    return Box(min(xs), min(ys), max(xs), max(ys))
