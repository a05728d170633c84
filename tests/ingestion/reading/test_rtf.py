import pytest

from ingestion.errors import EmptyDocument
from ingestion.reading.formats.rtf.rtf import RtfExtractor
from ingestion.types import ExtractedText, no_progress

HEAD = (
    r"{\rtf1\ansi\ansicpg1250\deff0{\fonttbl{\f0\fcharset238 Arial;}{\f1\fcharset204 Arial;}}"
    r"{\info{\title Umowa}{\author Jan}}"
)


def read(body: str) -> ExtractedText:
    return RtfExtractor().extract((HEAD + body + "}").encode("latin-1"), name="plik.rtf", progress=no_progress)


def test_polish_letters_come_by_code_page_and_by_number() -> None:
    found = read(r"Za\'bf\'f3\'b3\'e6 g\'ea\'9cl\'b9 ja\u378?\u324 n\par{\f1 \'bf?}\par")
    assert found.text == "Zażółć gęślą jaźń\n\nї?\n"
    assert found.title == "Umowa"


def test_headings_lists_and_tables_have_their_shape() -> None:
    body = (
        r"\pard\outlinelevel1 Urlopy\par\pard{\listtext\'b7\tab}wypoczynkowy\par"
        r"\trowd\intbl Rok\cell Kwota|b\cell\row\trowd\intbl 2024\cell 5\par zl\cell\row\pard Koniec\line wers\par"
    )
    assert read(body).text == (
        "## Urlopy\n\n- wypoczynkowy\n\n| Rok | Kwota\\|b |\n| --- | --- |\n| 2024 | 5 zl |\n\nKoniec\nwers\n"
    )


def test_notes_follow_the_paragraph_that_bears_their_mark() -> None:
    assert read(r"Termin{\footnote Siedem dni.} biegnie.\par Dalej.\par").text == (
        "Termin[^1] biegnie.\n\n[^1]: Siedem dni.\n\nDalej.\n"
    )


def test_what_is_not_seen_is_not_read() -> None:
    hidden = r"{\header gora}{\pict 0102}{\*\bkmkstart x}{\deleted stare}{\v ukryte}"
    field = r"{\field{\*\fldinst HYPERLINK}{\fldrslt link}}"
    assert read(rf"Tekst {hidden}{field}\par\bin5 \{{}}}}\\{{z").text.startswith("Tekst link\n")


def test_deep_and_broken_groups_end() -> None:
    assert "Tekst" in read("{" * 5000 + "Tekst" + "}" * 9000).text


def test_a_file_without_words_is_empty() -> None:
    with pytest.raises(EmptyDocument):
        read(r"\par\par")
