"""Text recognition: a picture of a page as the same layout that a page with a text layer has."""

import os
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from PIL import Image, ImageFilter

from ingestion.reading.formats.pdf.layout.page import Box, PageLayout
from ingestion.reading.ocr.parts import LANGUAGES, ocr_parts
from ingestion.reading.ocr.picture_lines import ruling_lines, straightened, without_lines
from ingestion.reading.ocr.tesseract_words import BODY, as_characters, confidence_of, unread_ink, usual_height, words_of

PAGE_SECONDS = 100.0
"""A page takes 2–4 s on a core of its own; what takes so long is a photograph or a trap. Below the limit without a sign
of progress, `IngestionSettings.parse_seconds`.
"""

DPI = 200
"""Scans of offices are read as well as at 300, in two thirds of the time."""

_SPECKLES = ImageFilter.MedianFilter(3)
MAX_PIXELS = 20_000_000
"""Of a rendered page: A4 has 3.9 million at 200 dpi, and a byte each in grey."""


class TooSlow(Exception):
    """The page was given up after its time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognised:
    """`layout` in points of a print whose usual letters have twelve; `confidence`: Tesseract's own, the mean over
    letters, 0 to 1. `unread`: the share of the ink that stands in no word, 0 to 1.
    """

    layout: PageLayout
    confidence: float
    unread: float


class Tesseract:
    """The `tesseract` program with the Polish and English data that are installed. Thread-safe."""

    def __init__(self, *, languages: tuple[str, ...] = LANGUAGES, max_seconds: float = PAGE_SECONDS) -> None:
        import pytesseract

        # One thread a page: on few cores its own four get in each other's way.
        os.environ.setdefault("OMP_THREAD_LIMIT", "1")
        self._tesseract = pytesseract
        self._max_seconds = max_seconds
        installed = ocr_parts().languages
        self.languages = tuple(name for name in languages if name in installed)
        self.missing = tuple(name for name in languages if name not in installed)

    def recognise(self, picture: Image.Image, *, dpi: float, seconds: float = PAGE_SECONDS) -> Recognised:
        """The words of a grey `picture` with their places. Raises TooSlow; OSError where the program fails."""
        straight = straightened(picture)
        lines = ruling_lines(straight)
        readable = without_lines(straight, lines).filter(_SPECKLES)
        table = self._table(readable, dpi, seconds)
        words = words_of(table)
        scale = BODY / usual_height(words)
        width, height = picture.width * scale, picture.height * scale
        return Recognised(
            layout=PageLayout(
                characters=as_characters(words, scale=scale, height=height),
                drawn=tuple(
                    Box(left * scale, height - bottom * scale, right * scale, height - top * scale)
                    for left, top, right, bottom in lines
                ),
                pictured=1.0,
                size=(width, height),
            ),
            confidence=confidence_of(table),
            unread=unread_ink(readable, words),
        )

    def turn(self, picture: Image.Image, *, seconds: float = PAGE_SECONDS) -> int:
        """Degrees by which the text is turned clockwise: 0, 90, 180 or 270; 0 where that cannot be told."""
        try:
            found = self._tesseract.image_to_osd(
                picture, output_type=self._tesseract.Output.DICT, timeout=self._limit(seconds), config="--psm 0"
            )
        except (RuntimeError, OSError, ValueError, KeyError):
            return 0
        return int(found["rotate"]) if found["orientation_conf"] > 1 else 0

    def _table(self, picture: Image.Image, dpi: float, seconds: float) -> dict[str, list[Any]]:
        try:
            table: dict[str, list[Any]] = self._tesseract.image_to_data(
                picture,
                lang="+".join(self.languages),
                config=f"--psm 3 --dpi {round(dpi)}",
                timeout=self._limit(seconds),
                output_type=self._tesseract.Output.DICT,
            )
        except self._tesseract.TesseractError as error:
            raise OSError(str(error)) from error
        except RuntimeError as error:  # so pytesseract says that the time is up
            raise TooSlow from error
        return table

    def _limit(self, seconds: float) -> float:
        """Positive, because pytesseract waits for ever at 0."""
        return max(0.001, min(seconds, self._max_seconds))


@lru_cache(maxsize=1)
def tesseract() -> Tesseract | None:
    """Text recognition, or None where the program, its data or the package `pytesseract` is not installed."""
    return Tesseract() if ocr_parts().works else None
