"""What a document is called."""

import pytest

from ingestion.reading.titles import document_title


@pytest.mark.parametrize(
    ("said", "file_name", "title"),
    [
        ("Regulamin pracy zdalnej", "a.pdf", "Regulamin pracy zdalnej"),
        ("  Regulamin\n pracy ", "a.pdf", "Regulamin pracy"),
        ("", "raport_finansowy_2024.pdf", "raport finansowy 2024"),
        ("", "Umowa o pracę_wzór.docx", "Umowa o pracę_wzór"),
        ("", "main.py", "main.py"),
        ("", "urlopy.md", "urlopy"),
        ("Nazwa i adres jednostki sprawozdawczej: Urząd Gminy", "bilans-2024.xlsx", "bilans-2024"),
        ("Uchwała nr 5: budżet gminy", "a.pdf", "Uchwała nr 5: budżet gminy"),
        ("Zadanie 101.", "egzamin.pdf", "egzamin"),
        ("Microsoft Word - pismo.doc", "pismo_do_wojewody.pdf", "pismo do wojewody"),
        ("Prezentacja programu PowerPoint", "szkolenie.pptx", "szkolenie"),
        ("12.03.2024", "12.03.2024.pdf", "12.03.2024"),
        ("Spis:", ".pdf", ".pdf"),
        ("x" * 600, "a.pdf", "x" * 500),
    ],
)
def test_a_title_is_what_readers_would_call_it(said: str, file_name: str, title: str) -> None:
    assert document_title(said, file_name=file_name) == title
