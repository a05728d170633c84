"""PDF by its text layer, page by page, and by text recognition where a page has none that is of use."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from django.utils.translation import gettext as _

from ingestion.errors import ExtractionError, NoTextLayer
from ingestion.reading.encoding import clean
from ingestion.reading.failures import reading
from ingestion.reading.formats.pdf.layout.composition import compose
from ingestion.reading.formats.pdf.mojibake import misread_letters
from ingestion.reading.formats.pdf.pages import PageReader, ReadPage, State
from ingestion.reading.formats.pdf.pdfium import opened_pdf, pdfium_lock
from ingestion.reading.ocr import warnings as ocr_warnings
from ingestion.reading.ocr.pages import credible_title
from ingestion.reading.ocr.recognition import Tesseract, tesseract
from ingestion.types import ExtractedText, Progress

_NO_TITLE = re.compile(
    r"^microsoft word|^untitled|^bez tytułu|\.\w{2,4}$|^\S*_\S*$"
    r"|\w[\u00a1-\u00a9\u00ab-\u00af\u00b4-\u00b8\u00bb-\u00bf\ufffd]",
    re.I,
)


class PdfExtractor:
    """Text with exact pages. Raises EncryptedDocument, CorruptDocument; of nothing but pictures OcrUnavailable where
    nothing reads them, else NoTextLayer.

    `recogniser` gives what reads pictures, None where nothing does; those pages are then named in a warning.
    """

    def __init__(self, recogniser: Callable[[], Tesseract | None] = tesseract) -> None:
        self._recogniser = recogniser

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        recogniser = self._recogniser()
        with opened_pdf(content) as document:
            title = _title(document)
            pages = _read(PageReader(document, recogniser), len(document), progress)
        if not any(page.content.visible for page in pages):
            raise _no_text(pages, recogniser)
        with reading("PDF"):
            composed = compose([page.content for page in pages])
        recognised = {number: page.recognised for number, page in enumerate(pages, start=1) if page.recognised}
        return ExtractedText(
            text=composed.text,
            extractor="pdf",
            title=title or credible_title(composed.title, recognised.get(1)),
            pages=composed.pages,
            warnings=tuple(_warnings(pages, recogniser)),
            metadata={"recognised": [page.described(number) for number, page in recognised.items()]}
            if recognised
            else {},
        )


def _read(reader: PageReader, total: int, progress: Progress) -> list[ReadPage]:
    pages: list[ReadPage] = []
    for index in range(total):
        pages.append(reader.read(index))
        progress(index + 1, total)
    return pages


def _title(document: Any) -> str:
    """The title in the properties, unless a program put the name of a file there or garbled its letters."""
    with pdfium_lock, reading("PDF"):
        title = " ".join(clean(document.get_metadata_dict().get("Title", "")).split())
    title = title.translate(misread_letters(title, min_words=1))
    return "" if _NO_TITLE.search(title) or sum(letter.isalpha() for letter in title) < 3 else title


def _no_text(pages: Sequence[ReadPage], recogniser: Tesseract | None) -> ExtractionError:
    if recogniser is None and _numbers(pages, "scan", "garbled"):
        return ocr_warnings.unavailable()
    return NoTextLayer(_("The file has %(count)d pages, but no text in them.") % {"count": len(pages)})


def _warnings(pages: Sequence[ReadPage], recogniser: Tesseract | None) -> Iterator[str]:
    if scans := _numbers(pages, "scan"):
        yield ocr_warnings.no_recogniser(scans) if recogniser is None else ocr_warnings.without_text(scans)
    if slow := _numbers(pages, "slow"):
        yield ocr_warnings.too_slow(slow)
    if garbled := _numbers(pages, "garbled"):
        yield ocr_warnings.garbled(garbled)
    recognised = {number: page.recognised for number, page in enumerate(pages, start=1) if page.recognised}
    if recogniser and recognised:
        yield from ocr_warnings.missing_languages(recogniser)
    yield from ocr_warnings.poor_pages(recognised)
    yield from ocr_warnings.partial_pages(recognised)


def _numbers(pages: Sequence[ReadPage], *states: State) -> list[int]:
    return [number for number, page in enumerate(pages, start=1) if page.state in states]
