"""Pictures of documents: scans and photographs, by text recognition."""

from collections.abc import Callable
from io import BytesIO

from django.utils.translation import gettext as _
from PIL import Image, ImageOps

from ingestion.errors import DocumentTooLarge, EmptyDocument
from ingestion.reading.failures import reading
from ingestion.reading.formats.pdf.layout.composition import compose
from ingestion.reading.formats.pdf.layout.content import PageContent
from ingestion.reading.ocr import warnings as ocr_warnings
from ingestion.reading.ocr.pages import RecognisedPage, credible_title, recognised_page
from ingestion.reading.ocr.recognition import DPI, Tesseract, TooSlow, tesseract
from ingestion.types import ExtractedText, Progress

FORMATS = ("PNG", "JPEG", "TIFF", "WEBP", "GIF", "BMP")
MAX_PIXELS = 60_000_000
"""Of one picture; A4 at 600 dpi has 35 million. Checked before anything is unpacked."""

MAX_FRAMES = 1000
_LARGEST, _SMALLEST = 3000, 1500
"""Pixels of the longer side that are read best: A4 has 2,340 at 200 dpi; letters on screenshots are too small."""


class ImageExtractor:
    """Text of pictures, a page each. Raises OcrUnavailable, CorruptDocument, DocumentTooLarge, EmptyDocument.

    Of an animation the first picture is read; only TIFF has pages.
    """

    def __init__(self, recogniser: Callable[[], Tesseract | None] = tesseract) -> None:
        self._recogniser = recogniser

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        recogniser = self._recogniser()
        if recogniser is None:
            raise ocr_warnings.unavailable()
        pages: list[RecognisedPage | None] = []
        with reading(_("picture")):
            picture = _opened(content)
            total = _frames(picture)
        for index in range(total):
            pages.append(_page(picture, index, recogniser))
            progress(index + 1, total)
        return _extracted(pages, recogniser)


def _opened(content: bytes) -> Image.Image:
    try:
        picture = Image.open(BytesIO(content), formats=FORMATS)
    except Image.DecompressionBombError as error:
        raise DocumentTooLarge(_("The picture unpacks to an unreasonable size.")) from error
    _check_size(picture)
    return picture


def _check_size(picture: Image.Image) -> None:
    if picture.width * picture.height > MAX_PIXELS:
        message = _("The picture has %(width)d × %(height)d pixels, the limit is %(limit)d million.")
        values = {"width": picture.width, "height": picture.height, "limit": MAX_PIXELS // 1_000_000}
        raise DocumentTooLarge(message % values)


def _frames(picture: Image.Image) -> int:
    total = getattr(picture, "n_frames", 1) if picture.format == "TIFF" else 1
    if total > MAX_FRAMES:
        raise DocumentTooLarge(
            _("The picture has %(count)d pages, the limit is %(limit)d.") % {"count": total, "limit": MAX_FRAMES}
        )
    return total


def _page(picture: Image.Image, index: int, recogniser: Tesseract) -> RecognisedPage | None:
    """None where recognition took too long."""
    with reading(_("picture")):
        picture.seek(index)
        _check_size(picture)
        grey = _prepared(picture)
    try:
        return recognised_page(grey, recogniser, dpi=DPI)
    except TooSlow:
        return None


def _prepared(picture: Image.Image) -> Image.Image:
    """Upright by its EXIF orientation, on white, in grey, its letters of a size that is read well."""
    upright = ImageOps.exif_transpose(picture)
    if "A" in upright.getbands() or "transparency" in upright.info:
        coloured = upright.convert("RGBA")
        upright = Image.alpha_composite(Image.new("RGBA", coloured.size, "white"), coloured)
    grey = upright.convert("L")
    longer = max(grey.size)
    factor = _LARGEST / longer if longer > _LARGEST else 2.0 if longer < _SMALLEST else 1.0
    return grey if factor == 1.0 else ImageOps.scale(grey, factor, Image.Resampling.LANCZOS)


def _extracted(pages: list[RecognisedPage | None], recogniser: Tesseract) -> ExtractedText:
    recognised = {number: page for number, page in enumerate(pages, start=1) if page}
    slow = [number for number, page in enumerate(pages, start=1) if page is None]
    blank = [number for number, page in recognised.items() if not page.content.visible]
    warnings = [ocr_warnings.too_slow(slow)] if slow else []
    if len(slow) + len(blank) == len(pages):
        raise EmptyDocument(warnings[0] if warnings else _("No text was found in the picture."))
    warnings += [ocr_warnings.without_text(blank)] if blank else []
    composed = compose([page.content if page else PageContent() for page in pages])
    return ExtractedText(
        text=composed.text,
        extractor="ocr",
        title=credible_title(composed.title, recognised.get(1)),
        pages=composed.pages,
        warnings=(*warnings, *ocr_warnings.missing_languages(recogniser), *_doubts(recognised)),
        metadata={"recognised": [page.described(number) for number, page in recognised.items()]},
    )


def _doubts(recognised: dict[int, RecognisedPage]) -> list[str]:
    return [*ocr_warnings.poor_pages(recognised), *ocr_warnings.partial_pages(recognised)]
