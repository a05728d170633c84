import pytest

from ingestion.errors import EmptyDocument, EncryptedDocument
from ingestion.reading.formats.opendocument.opendocument import OpenDocumentExtractor
from ingestion.reading.formats.xlsx import sheets
from ingestion.types import ExtractedText, no_progress
from tests.ingestion.reading.office_files import opendocument


def read(content: bytes) -> ExtractedText:
    return OpenDocumentExtractor().extract(content, name="plik.odt", progress=no_progress)


def test_headings_lists_tables_and_notes_keep_their_order() -> None:
    note = "<text:note-citation>1</text:note-citation><text:note-body><text:p>Przypis.</text:p></text:note-body>"
    remark = "<office:annotation><text:p>uwaga</text:p></office:annotation>"
    cells = "".join(f"<table:table-cell><text:p>{text}</text:p></table:table-cell>" for text in ("Rok", "Kwota"))
    body = (
        "<text:tracked-changes><text:p>usunięte</text:p></text:tracked-changes>"
        '<text:h text:outline-level="2">Urlopy</text:h>'
        f'<text:p>Wymiar<text:s text:c="2"/>urlopu<text:note>{note}</text:note>{remark}.</text:p>'
        "<text:list><text:list-item><text:p>a</text:p><text:list><text:list-item><text:p>b</text:p></text:list-item>"
        "</text:list></text:list-item></text:list>"
        f"<table:table><table:table-row>{cells}</table:table-row><table:table-row>{cells}</table:table-row></table:table>"
    )
    table = "| Rok | Kwota |\n| --- | --- |\n| Rok | Kwota |"
    assert read(opendocument("text", body)).text == (
        f"## Urlopy\n\nWymiar urlopu[^1].\n\n[^1]: Przypis.\n\n- a\n  - b\n\n{table}\n"
    )


def test_sheets_show_what_was_shown_and_endless_repetition_costs_nothing() -> None:
    body = (
        '<table:table table:name="Dane"><table:table-row><table:table-cell><text:p>Rok</text:p></table:table-cell>'
        "<table:table-cell><text:p>Kwota</text:p></table:table-cell>"
        '<table:table-cell table:number-columns-repeated="16382"/></table:table-row>'
        '<table:table-row><table:table-cell office:value="45366"><text:p>15.03.2024</text:p></table:table-cell>'
        '<table:table-cell office:value="5"><text:p>5,00 zł</text:p></table:table-cell></table:table-row>'
        '<table:table-row table:number-rows-repeated="1048574">'
        '<table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>'
        '<table:table table:name="Ukryta" table:style-name="h">'
        "<table:table-row><table:table-cell><text:p>x</text:p></table:table-cell></table:table-row></table:table>"
    )
    styles = '<style:style style:name="h"><style:table-properties table:display="false"/></style:style>'
    found = read(opendocument("spreadsheet", body, styles=styles))
    assert found.text == "# Dane\n\n| Rok | Kwota |\n| --- | --- |\n| 15.03.2024 | 5,00 zł |\n"
    assert "Ukryta" in found.warnings[0]


def test_a_text_repeated_to_the_end_of_the_sheet_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from ingestion.errors import DocumentTooLarge

    monkeypatch.setattr(sheets, "MAX_CELLS", 1000)
    cell = '<table:table-cell table:number-columns-repeated="9999999"><text:p>x</text:p></table:table-cell>'
    with pytest.raises(DocumentTooLarge):
        read(opendocument("spreadsheet", f"<table:table><table:table-row>{cell}</table:table-row></table:table>"))


def test_slides_are_pages() -> None:
    def frame(kind: str, text: str) -> str:
        box = f"<draw:text-box><text:p>{text}</text:p></draw:text-box>"
        return f'<draw:frame presentation:class="{kind}">{box}</draw:frame>'

    pages = [frame("title", "Plan") + frame("outline", "Treść") + frame("page-number", "7"), frame("title", "Koniec")]
    found = read(opendocument("presentation", "".join(f"<draw:page>{page}</draw:page>" for page in pages)))
    assert found.text == "# Plan\n\nTreść\n\n# Koniec\n"
    assert [page.start for page in found.pages] == [0, 15]


def test_a_password_is_reported() -> None:
    manifest = "<manifest><file-entry><encryption-data/></file-entry></manifest>"
    with pytest.raises(EncryptedDocument):
        read(opendocument("text", "<text:p>x</text:p>", manifest=manifest))


def test_a_text_without_words_is_empty() -> None:
    with pytest.raises(EmptyDocument):
        read(opendocument("text", "<text:p/>"))
