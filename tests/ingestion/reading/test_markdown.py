import pytest

from ingestion.errors import EmptyDocument
from ingestion.reading.formats.text.markdown import MarkdownExtractor
from ingestion.text.markdown.inline import plain_inline
from ingestion.types import ExtractedText, no_progress


def extract(text: str) -> ExtractedText:
    return MarkdownExtractor().extract(text.encode(), name="plik.md", progress=no_progress)


def test_front_matter_becomes_metadata_and_leaves_the_text() -> None:
    found = extract("---\ntitle: Urlopy\nlang: pl\ndate: 2025-01-02\ntags:\n- kadry\n---\n# Inny tytuł\n\nTreść.\n")
    assert found.text == "# Inny tytuł\n\nTreść.\n"
    assert (found.title, found.language) == ("Urlopy", "pl")
    assert found.metadata == {"title": "Urlopy", "lang": "pl", "date": "2025-01-02", "tags": ["kadry"]}


def test_a_yaml_bomb_is_left_where_it_stands() -> None:
    found = extract("---\na: &a [x, x]\nb: [*a, *a]\n---\nTreść.\n")
    assert found.metadata == {}
    assert "Treść." in found.text


def test_a_ruler_at_the_top_is_no_front_matter() -> None:
    assert extract("---\nTekst między liniami.\n---\nDalej.\n").text.startswith("---\nTekst")


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Wstęp\n\n# **Urlop** `ojcowski` ##\n", "Urlop ojcowski"),
        ("```\n# komentarz\n```\n# Tytuł\n", "Tytuł"),
        ("Tytuł\n=====\n", "Tytuł"),
        ("## Tylko drugi poziom\n", "Tylko drugi poziom"),
    ],
)
def test_the_title_is_the_first_heading_of_the_highest_kind(text: str, title: str) -> None:
    assert extract(text).title == title


def test_invisible_anchors_are_left_out() -> None:
    assert extract('# <a name="x"></a>Krok 1\n').text == "# Krok 1\n"


def test_tables_lose_their_padding() -> None:
    padded = "| Rok    |  Kwota |\n| ------ | -----: |\n| 2024   |   1--2 |\n"
    assert extract(padded).text == "| Rok | Kwota |\n| --- | ---: |\n| 2024 | 1--2 |\n"


def test_front_matter_alone_is_an_empty_document() -> None:
    with pytest.raises(EmptyDocument):
        extract("---\ntitle: x\n---\n\n")


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        ("**KSeF 2.0 \\- Przewodnik**", "KSeF 2.0 - Przewodnik"),
        ("[Sesja *wsadowa*](a.md \"t\") i ![obraz](b.png)", "Sesja wsadowa i obraz"),
        ("Pole `nr_faktury` i snake_case", "Pole nr_faktury i snake_case"),
        ("<b>Ważne</b>: 2 < 3", "Ważne: 2 < 3"),
    ],
)  # fmt: skip
def test_inline_marks_are_removed(markdown: str, plain: str) -> None:
    assert plain_inline(markdown) == plain
