"""Pages of a PDF as pictures, painted in another process."""

from typing import IO

from django.conf import settings
from django.utils.translation import get_language

from ingestion.reading.sandbox import warm
from ingestion.reading.sandbox.limits import ParsingLimits
from ingestion.reading.sandbox.messages import Marked, Painted, PictureRequest, PlacesRequest
from ingestion.types import MarkedPage

LIMITS = ParsingLimits(seconds=10.0, total_seconds=10.0, memory_mb=512)
"""Somebody is waiting for the page, so it gets less than a file that is indexed. An A4 page takes 0.2 s."""

PATIENCE = 10.0
"""Seconds that somebody waits for the pages of others."""


def painted_page(content: bytes | IO[bytes], *, page: int, width: int) -> bytes:
    """Page `page` of a PDF, counted from 1, as WebP, at most `width` pixels wide.

    Raises ExtractionError where the file is to blame (ParserCrashed, ParserTooSlow … too), PicturesBusy.
    """
    request = PictureRequest(page=page, width=width, language=_language(), seconds=LIMITS.total_seconds)
    return warm.kept.ask(request, content, Painted, limits=LIMITS, patience=PATIENCE).picture


def marked_page(content: bytes | IO[bytes], *, page: int, text: str, start: int, end: int) -> MarkedPage:
    """The size of the page, and where on it characters [start, end) of `text`, its extracted text, stand.

    Raises as `painted_page`.
    """
    request = PlacesRequest(
        page=page, text=text, start=start, end=end, language=_language(), seconds=LIMITS.total_seconds
    )
    return warm.kept.ask(request, content, Marked, limits=LIMITS, patience=PATIENCE).page


def _language() -> str:
    return get_language() or settings.LANGUAGE_CODE
