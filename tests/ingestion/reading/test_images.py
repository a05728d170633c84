import shutil

import pytest
from PIL import Image

from ingestion.errors import CorruptDocument, DocumentTooLarge, EmptyDocument
from ingestion.reading.formats.image.images import ImageExtractor
from ingestion.reading.ocr.recognition import Tesseract
from ingestion.reading.registry import extract as extract_any
from ingestion.types import ExtractedText, no_progress
from tests.ingestion.reading.pictures import noisy, page, ruled, saved

needs_tesseract = pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")


def extract(content: bytes) -> ExtractedText:
    return ImageExtractor().extract(content, name="skan.png", progress=no_progress)


@needs_tesseract
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "WEBP", "GIF", "BMP"])
def test_polish_print_is_read_from_pictures_of_every_kind(kind: str) -> None:
    media_type, found = extract_any(
        saved(page(), kind), name="bez-rozszerzenia", max_bytes=50_000_000, max_characters=1_000_000
    )
    assert media_type == f"image/{kind.lower()}"
    assert "prawo do corocznego, płatnego urlopu wypoczynkowego" in found.text
    assert "najpóźniej na trzy dni przed początkiem urlopu, a przełożony" in found.text
    assert found.warnings == ()


@pytest.mark.slow
@needs_tesseract
def test_pages_of_a_tiff_are_pages_of_the_document_and_progress_counts_them() -> None:
    pages = [page([f"To jest strona {word} naszego pisma."]) for word in ("pierwsza", "druga", "trzecia")]
    seen: list[tuple[int, int]] = []
    content = saved(pages[0], "TIFF", save_all=True, append_images=pages[1:])
    found = ImageExtractor().extract(content, name="a.tif", progress=lambda done, total: seen.append((done, total)))
    words = ["pierwsza", "druga", "trzecia"]
    assert [word in found.text[one.start : one.end] for word, one in zip(words, found.pages, strict=True)] == [True] * 3
    assert seen == [(1, 3), (2, 3), (3, 3)]


@needs_tesseract
def test_a_photograph_that_lies_on_its_side_is_turned_by_its_exif_orientation() -> None:
    lying = page().rotate(90, expand=True)
    exif = Image.Exif()
    exif[0x0112] = 6  # "turn by 90 degrees clockwise to show"
    assert "płatnego urlopu" in extract(saved(lying, "JPEG", exif=exif)).text


@pytest.mark.slow
@needs_tesseract
def test_a_scan_that_lies_on_its_side_is_turned_by_its_letters() -> None:
    assert "płatnego urlopu" in extract(saved(page().rotate(90, expand=True))).text


@needs_tesseract
def test_a_crooked_scan_is_made_straight() -> None:
    crooked = page().rotate(1.5, fillcolor=255, resample=Image.Resampling.BICUBIC)
    assert "prawo do corocznego, płatnego urlopu wypoczynkowego" in extract(saved(crooked)).text


@needs_tesseract
def test_a_ruled_table_of_a_scan_is_a_table() -> None:
    rows = [("Rodzaj wydatków", "Kwota", "Uwagi"), ("Koszty podróży", "1250,00", "brak"), ("Usługi", "840,50", "brak")]
    text = extract(saved(ruled(rows).rotate(0.8, fillcolor=255, resample=Image.Resampling.BICUBIC))).text
    assert "| Rodzaj wydatków | Kwota | Uwagi |" in text
    assert "| Koszty podróży | 1250,00 | brak |" in text


@needs_tesseract
def test_white_print_on_a_transparent_ground_is_not_lost() -> None:
    picture = Image.new("RGBA", (1654, 1200), (0, 0, 0, 0))
    picture.putalpha(page().point(lambda value: 255 - value))
    assert "płatnego urlopu" in extract(saved(picture)).text


@pytest.mark.slow
@needs_tesseract
def test_a_page_that_is_read_badly_says_so() -> None:
    found = extract(saved(noisy(page(size=18), 0.25)))
    quality = found.metadata["recognised"][0]
    assert quality["page"] == 1
    assert quality["known_words"] < 0.75
    assert len(found.warnings) == 1
    assert f"{round(100 * quality['known_words'])} %" in found.warnings[0]


@needs_tesseract
def test_a_picture_without_text_is_an_empty_document() -> None:
    with pytest.raises(EmptyDocument):
        extract(saved(Image.new("L", (800, 600), 200)))


@needs_tesseract
def test_a_page_that_takes_too_long_is_given_up() -> None:
    with pytest.raises(EmptyDocument, match=r"time|czas"):
        ImageExtractor(lambda: Tesseract(max_seconds=0.01)).extract(saved(page()), name="a.png", progress=no_progress)


@pytest.mark.slow
@needs_tesseract
def test_a_picture_of_unreasonable_size_is_refused_before_it_is_unpacked() -> None:
    bomb = saved(Image.new("1", (30_000, 30_000)))
    assert len(bomb) < 200_000
    with pytest.raises(DocumentTooLarge):
        extract(bomb)


@needs_tesseract
@pytest.mark.parametrize("content", [saved(page())[:2000], b"\x89PNG\r\n\x1a\n" + b"\x00" * 100, b"GIF89a"])
def test_a_damaged_picture_is_reported_as_such(content: bytes) -> None:
    with pytest.raises(CorruptDocument):
        extract(content)
