from dataclasses import dataclass

import pytest
from django.utils import translation

from rag.templatetags.chat import location, without_markup


@dataclass
class Place:
    line_start: int = 3
    line_end: int = 3
    page_start: int | None = None
    page_end: int | None = None


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (Place(), "line 3"),
        (Place(line_end=5), "lines 3–5"),
        (Place(page_start=2, page_end=2), "p. 2"),
        (Place(page_start=2, page_end=4), "pp. 2–4"),
    ],
)
def test_a_place_is_a_page_where_there_are_pages(place: Place, words: str) -> None:
    with translation.override("en"):
        assert location(place) == words


def test_a_quote_is_shown_without_the_signs_of_markdown() -> None:
    assert without_markup("## § 1\n\n- **Staż**\n\n| a | b |\n|---|---|\n| 1 | 2 |") == "§ 1 Staż a · b 1 · 2"
