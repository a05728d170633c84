"""Which headings name an entry of a list of changes, and when such an entry answers."""

import pytest

from rag.understanding.entries import has_answer, is_entry
from rag.understanding.expected import expected


@pytest.mark.parametrize(
    "heading",
    ["Wersja 2.7.0 (27 kwietnia 2026)", "Wersja 2.0.0 RC5.3", "v1.2.3", "1.2 (3 maja 2026)", "[1.0.0] – 2026-11-26",
     "12 marca 2026 r.", "12.03.2026", "2026-03-12: nowe godziny"],
)  # fmt: skip
def test_a_version_or_a_day_is_an_entry(heading: str) -> None:
    assert is_entry(heading)


@pytest.mark.parametrize(
    "heading", ["3.2.1. Rotacja planowa", "4.4. Obsługa błędu 21470", "1.2", "Zarządzenie z 3 marca 2026", ""]
)
def test_sections_and_acts_are_none(heading: str) -> None:
    assert not is_entry(heading)


@pytest.mark.parametrize(
    ("question", "heading", "answers"),
    [
        ("Od kiedy jest gaz?", "Wersja 2.7.0 (27 kwietnia 2026)", True),
        ("W której wersji doszedł gaz?", "Wersja 2.7.0", True),
        ("Od kiedy jest gaz?", "Wersja 2.7.0", False),
        ("Ile kosztuje gaz?", "Wersja 2.7.0 (27 kwietnia 2026)", False),
        ("Od kiedy jest gaz?", "Zarządzenie z 27 kwietnia 2026", False),
    ],
)
def test_the_heading_of_an_entry_tells_its_day_and_version(question: str, heading: str, answers: bool) -> None:
    assert has_answer(expected(question), "Dodano odczyty gazu.", heading) is answers
