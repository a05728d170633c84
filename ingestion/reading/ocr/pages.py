"""The content of a recognised page with a judgement of it."""

from dataclasses import dataclass
from time import monotonic
from typing import Any

from PIL import Image

from ingestion.reading.formats.pdf.layout.content import PageContent, content_of
from ingestion.reading.ocr.page_quality import POOR_BELOW, PageQuality, page_quality
from ingestion.reading.ocr.recognition import PAGE_SECONDS, Tesseract, TooSlow

_MOST = 0.5
POOR_CONFIDENCE = 0.6
"""Scans of offices have 0.8 to 0.95."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecognisedPage:
    """`confidence`: Tesseract's own, 0 to 1; `unread`: the share of the ink that stands in no word."""

    content: PageContent
    quality: PageQuality
    confidence: float
    unread: float

    @property
    def is_poor(self) -> bool:
        """Whether words or Tesseract itself say so; the latter where little more than a few clear words was read."""
        return self.quality.is_poor or (self.quality.words > 0 and self.confidence < POOR_CONFIDENCE)

    @property
    def is_partial(self) -> bool:
        """Whether most of what is on the page is no text, or was not seen as text."""
        return self.unread > _MOST

    def described(self, number: int) -> dict[str, Any]:
        """What is kept of it in the metadata of the text."""
        return {
            "page": number,
            "confidence": round(self.confidence, 3),
            "unread_ink": round(self.unread, 3),
            "words": self.quality.words,
            "known_words": round(self.quality.known, 3),
            "polish_letters": round(self.quality.polish, 3),
        }


def recognised_page(picture: Image.Image, recogniser: Tesseract, *, dpi: float) -> RecognisedPage:
    """The text of a grey picture; one that makes no sense is turned upright and read again, if time allows.

    Raises TooSlow, OSError.
    """
    deadline = monotonic() + PAGE_SECONDS
    page = _read(picture, recogniser, dpi, PAGE_SECONDS)
    if page.quality.words and not page.is_poor:
        return page
    try:
        turn = recogniser.turn(picture, seconds=deadline - monotonic())
        again = _read(picture.rotate(-turn, expand=True), recogniser, dpi, deadline - monotonic()) if turn else page
    except TooSlow:
        return page
    return max(page, again, key=lambda one: one.quality.known * one.quality.words)


def _read(picture: Image.Image, recogniser: Tesseract, dpi: float, seconds: float) -> RecognisedPage:
    found = recogniser.recognise(picture, dpi=dpi, seconds=seconds)
    content = content_of(found.layout)
    return RecognisedPage(
        content=content, quality=page_quality(content.text), confidence=found.confidence, unread=found.unread
    )


def credible_title(title: str, first: RecognisedPage | None) -> str:
    """`title` unless it was recognised and is none: a bar code and a stamp are in large print, too."""
    words = page_quality(title)
    return title if first is None or (words.words and not words.known < POOR_BELOW) else ""
