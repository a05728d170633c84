from dataclasses import dataclass

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from rag.chat.answering.sources import ShownSource
from rag.chat.tags import location, with_hits, without_markup


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


@pytest.mark.parametrize(
    ("text", "forms", "marked"),
    [
        ("Wnioskami zajmują się kadry.", ["wnioskami"], '<mark class="hit">Wnioskami</mark> zajmują się kadry.'),
        ("Wygaśnięcie JWT-a.", ["jwt"], 'Wygaśnięcie <mark class="hit">JWT-a</mark>.'),
        ("Staż, stażysta, staż", ["staż"], '<mark class="hit">Staż</mark>, stażysta, <mark class="hit">staż</mark>'),
        ("<b>staż</b> & co", ["staż"], '&lt;b&gt;<mark class="hit">staż</mark>&lt;/b&gt; &amp; co'),
        ("<i>Nic</i>", ["staż"], "&lt;i&gt;Nic&lt;/i&gt;"),
    ],
)
def test_the_words_found_are_marked_and_the_rest_is_escaped(text: str, forms: list[str], marked: str) -> None:
    assert with_hits(text, set(forms)) == marked


def test_without_words_to_mark_the_text_is_only_escaped() -> None:
    assert with_hits("staż <b>", frozenset()) == "staż &lt;b&gt;"


def test_a_word_is_marked_in_any_inflection() -> None:
    assert with_hits("Urlopami i urlopem.", {"urlop"}).count("<mark") == 2


def test_the_card_of_a_source_marks_the_words_found_in_its_quote() -> None:
    source = ShownSource(
        title="T", url="", quote="Składanie **wniosków** <script>", line_start=1, line_end=1, page_start=None,
        page_end=None, heading_path=(), words=frozenset({"wniosków"}),
    )  # fmt: skip
    card = render_to_string("chat/_source.html", {"source": source})
    assert '<blockquote>Składanie <mark class="hit">wniosków</mark> &lt;script&gt;</blockquote>' in card
