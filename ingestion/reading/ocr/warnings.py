"""What editors are told about pages that are pictures."""

from collections.abc import Mapping, Sequence
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ingestion.errors import OcrUnavailable
from ingestion.reading.ocr.pages import RecognisedPage
from ingestion.reading.ocr.parts import ocr_parts
from ingestion.reading.ocr.recognition import Tesseract

_SHOWN = 20


def unavailable() -> OcrUnavailable:
    """The failure of a file that is nothing but a scan; its remedy names what this machine lacks."""
    message = _("This is a scan; text recognition is switched off. Tell your administrator.")
    remedy = _("Missing here: %(packages)s. Once it is installed, process the document again.")
    return OcrUnavailable(message, remedy=remedy % {"packages": ocr_parts().missing})


def no_recogniser(pages: Sequence[int]) -> str:
    """Scans that were left out because nothing here can read them."""
    text = ngettext(
        "Page %(pages)s is a scan; text recognition is switched off. Tell your administrator (missing: %(packages)s).",
        "Pages %(pages)s are scans; text recognition is switched off. Tell your administrator (missing: %(packages)s).",
        len(pages),
    )
    return text % {"pages": page_list(pages), "packages": ocr_parts().missing}


def too_slow(pages: Sequence[int]) -> str:
    text = ngettext(
        "Page %(pages)s was left out: its text could not be recognised in time.",
        "Pages %(pages)s were left out: their text could not be recognised in time.",
        len(pages),
    )
    return text % {"pages": page_list(pages)}


def without_text(pages: Sequence[int]) -> str:
    text = ngettext("No text was found on page %(pages)s.", "No text was found on pages %(pages)s.", len(pages))
    return text % {"pages": page_list(pages)}


def garbled(pages: Sequence[int]) -> str:
    """Text layers with wrong letters that no recognition has replaced."""
    text = ngettext(
        "The text of page %(pages)s seems to be garbled.",
        "The text of pages %(pages)s seems to be garbled.",
        len(pages),
    )
    return text % {"pages": page_list(pages)}


def poor_pages(recognised: Mapping[int, RecognisedPage]) -> list[str]:
    """One warning a page whose text should not be trusted."""
    text = _("Page %(page)d: poor quality of recognition (%(share)d %% of its words are in a dictionary).")
    return [
        text % {"page": number, "share": round(100 * page.quality.known)}
        for number, page in recognised.items()
        if page.is_poor
    ]


def partial_pages(recognised: Mapping[int, RecognisedPage]) -> list[str]:
    """Pages on which there is more than was read; those of poor quality have their own warning."""
    pages = [number for number, page in recognised.items() if page.is_partial and not page.is_poor]
    text = ngettext(
        "Most of page %(pages)s was not recognised as text: it is a picture, or the scan is poor.",
        "Most of pages %(pages)s was not recognised as text: they are pictures, or the scan is poor.",
        len(pages),
    )
    return [text % {"pages": page_list(pages)}] if pages else []


def missing_languages(recogniser: Tesseract) -> list[str]:
    if not recogniser.missing:
        return []
    text = _("Text was recognised without the data for the languages %(languages)s: letters with marks may be wrong.")
    return [text % {"languages": ", ".join(recogniser.missing)}]


def page_list(numbers: Sequence[int]) -> str:
    """ "3–7, 9": runs as ranges, at most twenty of them."""
    runs = [[number for _, number in run] for _, run in groupby(enumerate(numbers), key=lambda one: one[1] - one[0])]
    shown = [f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs[:_SHOWN]]
    return ", ".join(shown) + (" …" if len(runs) > _SHOWN else "")
