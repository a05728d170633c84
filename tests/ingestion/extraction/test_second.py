"""A file read by two extractors: both texts, and no harm to the first one."""

import pytest

from ingestion.extraction.registry import extract
from tests.ingestion.extraction.pdf_files import Print, frame, paragraph, pdf

pytest.importorskip("pdfplumber", reason="the extra `dual` is not installed")

LINES = ["Wniosek o zwrot opłaty składa się w terminie czternastu dni.", "Decyzję wydaje kierownik wydziału."]
LIMITS = {"name": "a.pdf", "max_bytes": 10**7, "max_characters": 10**6}


def test_a_pdf_has_a_second_text_with_pages_of_its_own() -> None:
    content = pdf([paragraph(LINES), paragraph(["Druga strona ma jedno zdanie."])])
    media_type, text = extract(content, second="pdfplumber", **LIMITS)
    assert media_type == "application/pdf"
    assert (text.extractor, text.second and text.second.extractor) == ("pdf", "pdfplumber")
    assert text.second is not None
    assert "terminie czternastu dni" in text.second.text
    last = text.second.pages[1]
    assert text.second.text[last.start : last.end].strip() == "Druga strona ma jedno zdanie."


def test_nobody_reads_twice_who_was_not_asked_to() -> None:
    assert extract(pdf([paragraph(LINES)]), **LIMITS)[1].second is None
    assert extract(b"Zwykly tekst.", second="pdfplumber", **LIMITS | {"name": "a.txt"})[1].second is None


def test_a_ruled_table_stands_between_the_lines_around_it() -> None:
    ys = (600, 620, 640)
    cells = [Print("Opłata", 80, 625), Print("Kwota", 210, 625), Print("skarbowa", 80, 605), Print("17 zł", 210, 605)]
    page = [Print("Nad tabelą.", 72, 700), *cells, Print("Pod tabelą.", 72, 560)]
    second = extract(pdf([page], drawings=frame((72, 200, 330), ys)), second="pdfplumber", **LIMITS)[1].second
    assert second is not None
    above, table, below = (second.text.index(words) for words in ("Nad tabelą.", "| skarbowa | 17 zł |", "Pod tabelą."))
    assert above < table < below
    assert second.text.count("skarbowa") == 1


def test_where_the_second_extractor_fails_the_first_text_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    import pdfplumber

    def fail(*args: object, **kwargs: object) -> None:
        raise MemoryError

    monkeypatch.setattr(pdfplumber, "open", fail)
    _, text = extract(pdf([paragraph(LINES)]), second="pdfplumber", **LIMITS)
    assert "czternastu dni" in text.text
    assert text.second is None
    assert "pdfplumber" in text.warnings[-1]
