"""Scanned pages of PDFs."""

import shutil

import pytest
from PIL import Image

from ingestion.reading.formats.pdf.pdf import PdfExtractor
from ingestion.reading.ocr.recognition import tesseract
from ingestion.reading.ocr.warnings import page_list
from ingestion.types import ExtractedText, no_progress
from tests.ingestion.reading.pictures import noisy, page, scanned_pdf

needs_tesseract = pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")


def extract(content: bytes, recogniser: object = tesseract) -> ExtractedText:
    return PdfExtractor(recogniser).extract(content, name="skan.pdf", progress=no_progress)  # type: ignore[arg-type]


@pytest.mark.slow
@needs_tesseract
def test_only_pages_without_a_text_layer_are_recognised() -> None:
    found = extract(scanned_pdf([None, page(), None]))
    assert "płatnego urlopu wypoczynkowego" in found.text[found.pages[1].start : found.pages[1].end]
    assert "zwykly tekst" in found.text[found.pages[2].start : found.pages[2].end]
    assert [one["page"] for one in found.metadata["recognised"]] == [2]
    assert found.warnings == ()


@pytest.mark.slow
@needs_tesseract
def test_a_stamp_in_the_text_layer_of_a_scan_does_not_hide_the_scan() -> None:
    found = extract(scanned_pdf([page()], layer="RPW/3463/2025-1B wplynelo dnia 2025-01-29"))
    assert "płatnego urlopu wypoczynkowego" in found.text


@pytest.mark.slow
@needs_tesseract
def test_a_text_layer_of_wrong_letters_is_replaced_by_what_is_seen() -> None:
    garbage = " ".join(["Xqvzk wrtplk mnbvcx zxcvb lkjhgf qwrtp"] * 12)
    found = extract(scanned_pdf([page()], layer=garbage))
    assert "płatnego urlopu wypoczynkowego" in found.text
    assert "mnbvcx" not in found.text[400:]


@pytest.mark.slow
@needs_tesseract
def test_a_page_that_is_read_badly_says_so() -> None:
    found = extract(scanned_pdf([None, noisy(page(size=24), 0.2)]))
    assert len(found.warnings) == 1
    assert "2" in found.warnings[0]


@pytest.mark.slow
@needs_tesseract
def test_a_blank_scan_among_others_is_named() -> None:
    found = extract(scanned_pdf([None, Image.new("L", (800, 1100), 250)]))
    assert any("2" in warning for warning in found.warnings)


def test_neighbouring_pages_are_written_as_ranges() -> None:
    assert page_list([1, 3, 4, 5, 9]) == "1, 3–5, 9"
    assert page_list(list(range(1, 60, 2))).endswith("39 …")
