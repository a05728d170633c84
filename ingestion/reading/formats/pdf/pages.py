"""The pages of an open PDF one by one: from the text layer, or by recognition where that is no use."""

from dataclasses import dataclass
from typing import Any, Literal

from PIL import Image

from ingestion.reading.failures import reading
from ingestion.reading.formats.pdf.layout.content import PageContent, content_of
from ingestion.reading.formats.pdf.layout.page import PageLayout
from ingestion.reading.formats.pdf.layout.reading import read_page
from ingestion.reading.formats.pdf.mojibake import misread_letters
from ingestion.reading.formats.pdf.pdfium import pdfium_lock
from ingestion.reading.ocr.page_quality import GARBAGE_BELOW, page_quality
from ingestion.reading.ocr.pages import RecognisedPage, recognised_page
from ingestion.reading.ocr.recognition import DPI, MAX_PIXELS, Tesseract, TooSlow

MIN_VISIBLE = 16
"""A page with a picture and fewer visible characters (a stamp, a page number) counts as scanned."""

_FULL_PAGE, _FEW_WORDS = 0.5, 400
"""A picture over half of the page under less text than that is a scan with a stamp or an added header."""

_MIN_DRAWN = 200
"""A page without letters but with as many lines is text turned into outlines."""

_LEADERS = dict.fromkeys(map(ord, " \n\r\t._…·-"))
"""White, and what dotted lines are made of."""

State = Literal["text", "blank", "scan", "slow", "garbled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadPage:
    """`recognised` is there where its text was; `state` "scan", "slow" and "garbled" say what is lost or doubtful."""

    content: PageContent
    state: State
    recognised: RecognisedPage | None = None


class PageReader:
    """Reads pages of one document. A page is in memory as characters only while it is read."""

    def __init__(self, document: Any, recogniser: Tesseract | None) -> None:
        self._document, self._recogniser = document, recogniser

    def read(self, index: int) -> ReadPage:
        """Raises CorruptDocument."""
        with pdfium_lock, reading("PDF"):
            page = self._document[index]
            try:
                layout = read_page(page)
            finally:
                page.close()
        with reading("PDF"):
            content = _with_right_letters(content_of(layout))
            state = _state(layout, content)
        return (
            ReadPage(content=content, state=state) if state in ("text", "blank") else self._seen(index, content, state)
        )

    def _seen(self, index: int, content: PageContent, state: State) -> ReadPage:
        """The page as it looks, where that says more than its text layer."""
        if self._recogniser is None:
            return ReadPage(content=content, state=_kept(content, state))
        try:
            with reading("PDF"):
                picture, dpi = self._picture(index)
            found = recognised_page(picture, self._recogniser, dpi=dpi)
        except TooSlow:
            return ReadPage(content=content, state="slow")
        except OSError:
            return ReadPage(content=content, state=_kept(content, state))
        layer = page_quality(content.text)
        if found.quality.known * found.quality.words <= layer.known * layer.words:
            return ReadPage(content=content, state=_kept(content, state))
        return ReadPage(content=found.content, state="text", recognised=found)

    def _picture(self, index: int) -> tuple[Image.Image, float]:
        """The page in grey at 200 dpi, large formats at less."""
        with pdfium_lock:
            page = self._document[index]
            try:
                width, height = page.get_size()
                scale = min(DPI / 72, (MAX_PIXELS / max(width * height, 1.0)) ** 0.5)
                bitmap = page.render(scale=scale, grayscale=True)
                picture = bitmap.to_pil().copy()
                bitmap.close()
            finally:
                page.close()
        return picture, scale * 72


def _state(layout: PageLayout, content: PageContent) -> State:
    seen = content.visible
    has_drawing = layout.pictured > 0 or len(layout.drawn) >= _MIN_DRAWN
    if _in_layer(layout) > 2 * max(seen, MIN_VISIBLE):  # letters without names, or with those of a private font
        return "garbled"
    if seen < MIN_VISIBLE:
        return "scan" if has_drawing else "text" if seen else "blank"
    if layout.pictured > _FULL_PAGE and seen < _FEW_WORDS:
        return "scan"
    return "garbled" if page_quality(content.text, enough=GARBAGE_BELOW).is_garbage else "text"


def _in_layer(layout: PageLayout) -> int:
    """How many characters but dotted lines the text layer has."""
    return len("".join([one.text for one in layout.characters]).translate(_LEADERS))


def _kept(content: PageContent, state: State) -> State:
    """A "scan" with enough text of its own (a slide on a picture) is a page of text after all."""
    return "text" if state == "scan" and content.visible >= 4 * MIN_VISIBLE else state


def _with_right_letters(content: PageContent) -> PageContent:
    table = misread_letters(content.text)
    return content.translated(table) if table else content
