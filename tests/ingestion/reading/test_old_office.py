import pytest

from ingestion.errors import CorruptDocument, EmptyDocument, EncryptedDocument, UnsupportedMediaType
from ingestion.reading.formats.legacy.old_powerpoint import OldPowerPointExtractor
from ingestion.reading.formats.legacy.old_word import OldWordExtractor
from ingestion.reading.registry import extract
from ingestion.types import ExtractedText, no_progress
from tests.ingestion.reading.office_files import OLE
from tests.ingestion.reading.ole_files import doc, ole, ppt


def word(content: bytes) -> ExtractedText:
    return OldWordExtractor().extract(content, name="plik.doc", progress=no_progress)


def powerpoint(content: bytes) -> ExtractedText:
    return OldPowerPointExtractor().extract(content, name="plik.ppt", progress=no_progress)


def test_paragraphs_tables_and_fields_of_an_old_word_file() -> None:
    table = "Rok\x07Kwota\x07\x072024\x07\x07\x07"
    body = f'Zażółć gęślą\r\r{table}Zob. \x13HYPERLINK "x"\x14stronę\x15.\rPlain end of the text\r'
    assert word(doc(body)).text == (
        "Zażółć gęślą\n\n| Rok | Kwota |\n| --- | --- |\n| 2024 |  |\n\nZob. stronę.\n\nPlain end of the text\n"
    )


def test_footnotes_of_an_old_word_file_are_marked() -> None:
    assert word(doc("Termin\x02 biegnie.\r", footnotes="\x02 Siedem dni.\r")).text == (
        "Termin[^1] biegnie.\n\n[^1]: Siedem dni.\n"
    )


def test_several_paragraphs_in_a_cell_stay_in_it() -> None:
    assert "| A | b c |" in word(doc("A\x07b\rc\x07\x071\x072\x07\x07")).text


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (doc("x", flags=0x0100), EncryptedDocument),
        (doc("x", version=0x65), UnsupportedMediaType),
        (doc("\r\r"), EmptyDocument),
        (ole({"WordDocument": b"x"}), CorruptDocument),
        (OLE + b"\0" * 600, CorruptDocument),
        (doc("x")[:3000], CorruptDocument),
    ],
)
def test_what_is_wrong_with_an_old_word_file_is_said(content: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        word(content)


def test_slides_of_an_old_presentation_are_pages() -> None:
    found = powerpoint(ppt([("Urlopy ąę", "a\rb", "Źródło"), ("Koniec", "x", "")]))
    assert found.text == "# Urlopy ąę\n\n- a\n- b\n\nŹródło\n\n# Koniec\n\n- x\n"
    assert found.title == "Urlopy ąę"
    assert [found.text[page.start :][:8] for page in found.pages] == ["# Urlopy", "# Koniec"]


@pytest.mark.parametrize(
    ("content", "error"),
    [(ppt([("a", "b", "c")], token=0xF3D1C4DF), EncryptedDocument), (ole({"x": b""}), CorruptDocument)],
)
def test_what_is_wrong_with_an_old_presentation_is_said(content: bytes, error: type[Exception]) -> None:
    with pytest.raises(error):
        powerpoint(content)


def test_the_streams_tell_what_a_file_without_a_suffix_is() -> None:
    for content, media_type in (
        (doc("x"), "application/msword"),
        (ppt([("a", "", "")]), "application/vnd.ms-powerpoint"),
    ):
        assert extract(content, name="plik", max_bytes=10**6, max_characters=100)[0] == media_type
