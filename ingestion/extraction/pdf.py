"""PDF by its text layer: pages, paragraphs, headings and ruled tables in reading order."""

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.utils.translation import gettext as _

from ingestion.errors import EncryptedDocument, NoTextLayer
from ingestion.extraction.encoding import clean
from ingestion.extraction.failures import reading
from ingestion.extraction.pdf_layout.composition import compose
from ingestion.extraction.pdf_layout.page import PageLayout, read_page
from ingestion.types import ExtractedText, Progress

_pdfium = threading.Lock()  # pdfium is not thread-safe, not even for two different documents

_NO_TITLE = re.compile(r"^microsoft word|^untitled|^bez tytułu|\.\w{2,4}$|^\S*_\S*$|\w[\u00a1-\u00bf\ufffd]\w", re.I)

MIN_VISIBLE = 16
"""A page with a picture and fewer visible characters (a stamp, a page number) counts as scanned."""


class PdfExtractor:
    """Text with exact pages. Raises EncryptedDocument, CorruptDocument, NoTextLayer (only pictures)."""

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        with _opened(content) as document:
            title = _title(document)
            layouts = _layouts(document, progress)
        scanned = [number for number, layout in enumerate(layouts, start=1) if _is_scanned(layout)]
        if not any(_visible(layout) for layout in layouts) or len(scanned) == len(layouts):
            raise NoTextLayer(_("The file has %(count)d pages, but no text in them.") % {"count": len(layouts)})
        with reading("PDF"):
            composed = compose(layouts)
        return ExtractedText(
            text=composed.text,
            extractor="pdf",
            title=title or composed.title,
            pages=composed.pages,
            warnings=_warnings(scanned),
        )


@contextmanager
def _opened(content: bytes) -> Iterator[Any]:
    import pypdfium2 as pdfium
    import pypdfium2.raw as raw

    with _pdfium, reading("PDF"):
        try:
            document = pdfium.PdfDocument(content)
        except pdfium.PdfiumError as error:
            if getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD or "password" in str(error).lower():
                raise EncryptedDocument(_("The file is protected with a password.")) from error
            raise
    try:
        yield document
    finally:
        with _pdfium:
            document.close()


def _layouts(document: Any, progress: Progress) -> list[PageLayout]:
    with _pdfium:
        total = len(document)
    layouts: list[PageLayout] = []
    for index in range(total):
        with _pdfium, reading("PDF"):  # page by page, so that a short document need not wait for a long one
            page = document[index]
            try:
                layouts.append(read_page(page))
            finally:
                page.close()
        progress(index + 1, total)
    return layouts


def _title(document: Any) -> str:
    """The title in the properties, unless a program put the name of a file there or garbled its letters."""
    with _pdfium, reading("PDF"):
        title = " ".join(clean(document.get_metadata_dict().get("Title", "")).split())
    return "" if _NO_TITLE.search(title) or sum(letter.isalpha() for letter in title) < 3 else title


def _visible(layout: PageLayout) -> int:
    return sum(not character.text.isspace() for character in layout.characters)


def _is_scanned(layout: PageLayout) -> bool:
    return layout.has_picture and _visible(layout) < MIN_VISIBLE


def _warnings(scanned: Sequence[int]) -> tuple[str, ...]:
    if not scanned:
        return ()
    numbers = ", ".join(map(str, scanned[:20])) + (" …" if len(scanned) > 20 else "")
    return (_("Pages without a text layer were left out: %(pages)s.") % {"pages": numbers},)
