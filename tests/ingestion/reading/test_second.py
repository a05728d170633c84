"""A file read by two extractors: both texts, and no harm to the first one."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ingestion.models import Collection
from ingestion.reading.registry import extract
from tests.conftest import AddDocument
from tests.ingestion.reading.pdf_files import Print, frame, paragraph, pdf

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


PAGES = [
    [Print("Regulamin urlopów", 72, 800), *paragraph([f"To jest {which} strona."]), Print(f"Strona {n} z 4", 250, 30)]
    for n, which in enumerate(("pierwsza", "druga", "trzecia", "czwarta"), start=1)
]
"""The first extractor leaves out what every page repeats, the second does not, so that its text is the longer one."""


def test_a_second_text_over_the_limit_is_left_out_with_a_warning_that_editors_find(
    public: Collection, index: AddDocument, settings: Any, admin_client: Client
) -> None:
    content = pdf(PAGES)
    first = extract(content, second="pdfplumber", **LIMITS)[1]
    assert first.second is not None
    assert len(first.text) < len(first.second.text)
    limits = {"second_pdf_extractor": "pdfplumber", "max_characters": len(first.text)}
    settings.RAG = {**settings.RAG, "ingestion": {**settings.RAG["ingestion"], **limits}}
    document = index(public, content, name="a.pdf")
    assert document.extractions.get().extractor == "pdf"
    (warning,) = document.warnings
    assert warning.startswith("Tekst drugiego programu czytającego, pdfplumber, pominięto")
    assert f"dopuszczalna – {len(first.text)}" in warning
    index(public, "Bez zastrzeżeń.", name="b.txt")
    found = admin_client.get("/api/documents", {"warnings": "true"}).json()["results"]
    assert [(one["id"], one["warnings"]) for one in found] == [(document.pk, [warning])]
    listed = admin_client.get(reverse("admin:ingestion_document_changelist"), {"warnings": "yes"})
    assert [one.pk for one in listed.context["cl"].queryset] == [document.pk]
