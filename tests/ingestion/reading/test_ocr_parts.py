"""What is missing for text recognition is said by its name: to whoever uploaded a scan, and by `doctor`."""

import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ingestion.errors import OcrUnavailable
from ingestion.models import Collection, Document
from ingestion.reading.formats.image.images import ImageExtractor
from ingestion.reading.formats.pdf.pdf import PdfExtractor
from ingestion.reading.ocr.parts import ocr_parts
from ingestion.reading.ocr.recognition import tesseract
from ingestion.reading.sandbox import warm
from ingestion.types import ExtractedText, no_progress
from knowledgetree.diagnosis import diagnose
from knowledgetree.readiness import Check
from tests.conftest import AddDocument, index_in_job
from tests.ingestion.reading.pictures import page, saved, scanned_pdf

needs_tesseract = pytest.mark.skipif(shutil.which("tesseract") is None, reason="tesseract is not installed")


@pytest.fixture
def index(db: None) -> AddDocument:
    return index_in_job


@pytest.fixture(autouse=True)
def _looked_for_anew() -> Iterator[None]:
    tesseract.cache_clear()
    yield
    tesseract.cache_clear()


@pytest.fixture
def without_program(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.fixture
def without_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))


@pytest.fixture
def without_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pytesseract", None)  # so Python says that there is none


def scan() -> ExtractedText:
    return PdfExtractor().extract(scanned_pdf([page()]), name="skan.pdf", progress=no_progress)


def photograph() -> ExtractedText:
    return ImageExtractor().extract(saved(page()), name="zdjęcie.png", progress=no_progress)


def said(subject: str) -> Check:
    [found] = [one for one in diagnose() if one.subject == subject]
    return found


def missing_of(read: Callable[[], ExtractedText]) -> str:
    with pytest.raises(OcrUnavailable) as caught:
        read()
    assert "To skan; rozpoznawanie tekstu jest wyłączone. Powiadom administratora." in str(caught.value)
    return str(caught.value.remedy).partition(".")[0]


@pytest.mark.parametrize("read", [scan, photograph])
@pytest.mark.usefixtures("without_program")
def test_without_the_program_a_scan_names_the_program(read: Callable[[], ExtractedText]) -> None:
    assert missing_of(read) == "Brakuje tu: tesseract-ocr, tesseract-ocr-pol"


@needs_tesseract
@pytest.mark.parametrize("read", [scan, photograph])
@pytest.mark.usefixtures("without_package")
def test_without_the_package_a_scan_names_the_package_alone(read: Callable[[], ExtractedText]) -> None:
    assert missing_of(read) == "Brakuje tu: pytesseract"


@needs_tesseract
@pytest.mark.parametrize("read", [scan, photograph])
@pytest.mark.usefixtures("without_data")
def test_without_any_data_a_scan_names_the_data_alone(read: Callable[[], ExtractedText]) -> None:
    assert missing_of(read) == "Brakuje tu: tesseract-ocr-pol"


@pytest.mark.usefixtures("without_program")
def test_scans_among_other_pages_are_named_with_what_is_missing() -> None:
    content = scanned_pdf([None, page(), page(), page(), None, page()])
    found = PdfExtractor().extract(content, name="skan.pdf", progress=no_progress)
    assert "zwykly tekst" in found.text
    [warning] = found.warnings
    assert warning.startswith("Strony 2–4, 6 to skany; rozpoznawanie tekstu jest wyłączone. Powiadom administratora")
    assert "tesseract-ocr-pol" in warning


@pytest.mark.slow
@needs_tesseract
def test_english_data_alone_read_with_a_warning(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for data in Path("/usr/share/tesseract-ocr").glob("*/tessdata/eng.traineddata"):
        (tmp_path / data.name).symlink_to(data)
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    if ocr_parts().languages != ("eng",):
        pytest.skip("the data of Tesseract lie elsewhere")
    assert any("pol" in warning for warning in scan().warnings)


@pytest.mark.django_db
@needs_tesseract
def test_doctor_is_content_with_package_program_and_polish_data() -> None:
    assert [said(f"Skany: {part}").well for part in ("pakiet", "program", "język polski")] == [True] * 3


@pytest.mark.django_db
@pytest.mark.usefixtures("without_program")
def test_doctor_names_the_packages_of_the_program() -> None:
    found = said("Skany: program")
    assert found.well is None
    assert found.remedy.endswith("tesseract-ocr tesseract-ocr-pol")


@pytest.mark.django_db
@needs_tesseract
@pytest.mark.usefixtures("without_data")
def test_doctor_sees_the_program_and_misses_the_polish_data() -> None:
    assert said("Skany: program").well is True
    assert said("Skany: język polski").well is False
    assert "tesseract-ocr-pol" in said("Skany: język polski").remedy


@pytest.mark.django_db
@pytest.mark.usefixtures("without_package")
def test_doctor_misses_the_package() -> None:
    assert said("Skany: pakiet").well is False
    assert "pip install" in said("Skany: pakiet").remedy


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.usefixtures("without_program")
def test_an_indexed_scan_fails_with_the_same_words(public: Collection, index: AddDocument) -> None:
    warm.kept.end()  # the next reading process has the PATH of now
    document = index(public, scanned_pdf([page()]), name="skan.pdf")
    warm.kept.end()
    assert (document.status, document.error_code) == (Document.Status.FAILED, "ocr_unavailable")
    assert document.error_message.startswith("To skan; rozpoznawanie tekstu jest wyłączone.")
