"""A page of a PDF as people see it: its picture, and where quoted words stand on it."""

from io import BytesIO
from typing import Any

from ingestion.errors import CorruptDocument
from ingestion.reading.failures import reading
from ingestion.reading.formats.pdf.pdfium import opened_pdf, pdfium_lock
from ingestion.reading.formats.pdf.quote_places import quote_places
from ingestion.types import MarkedPage

_MAX_PIXELS = 12_000_000
_LONGEST_SIDE = 16_000  # WebP has room for 16,383
_QUALITY = 80
_SPEED = 2  # of 0 (quickest) to 6: a page in 0.1 s


def painted_page(content: bytes, *, page: int, width: int) -> bytes:
    """Page `page`, counted from 1, as WebP, `width` pixels wide; strips that would be huge are painted smaller.

    Raises EncryptedDocument, CorruptDocument.
    """
    written = BytesIO()
    with opened_pdf(content) as document, pdfium_lock, reading("PDF"):
        document.init_forms()  # or what somebody filled in would be missing
        opened = _page(document, page)
        bitmap = opened.render(scale=_scale(opened.get_size(), width))
        bitmap.to_pil().convert("RGB").save(written, "WEBP", quality=_QUALITY, method=_SPEED)
    return written.getvalue()


def marked_page(content: bytes, *, page: int, text: str, start: int, end: int) -> MarkedPage:
    """The size of the page and the places of characters [start, end) of `text`, which was extracted from it.

    Raises EncryptedDocument, CorruptDocument.
    """
    with opened_pdf(content) as document, pdfium_lock, reading("PDF"):
        opened = _page(document, page)
        width, height = opened.get_size()
        found = quote_places(opened, text=text, start=start, end=end) if end > start else ()
    return MarkedPage(width=width, height=height, rectangles=found)


def _page(document: Any, number: int) -> Any:
    if not 1 <= number <= len(document):
        raise CorruptDocument(f"There is no page {number}.")
    return document[number - 1]


def _scale(size: tuple[float, float], wanted: int) -> float:
    """Pixels a point."""
    width, height = size
    most = ((_MAX_PIXELS / (width * height)) ** 0.5, _LONGEST_SIDE / max(width, height))
    return float(min((wanted - 0.01) / width, *most))  # pdfium rounds up
