from typing import Any

import pytest

from ingestion.errors import CorruptDocument, DocumentTooLarge, EmptyDocument, EncryptedDocument
from ingestion.reading import containers
from ingestion.reading.formats.docx.docx import DocxExtractor
from ingestion.reading.formats.docx.numbering import numeral
from ingestion.types import ExtractedText, no_progress
from tests.ingestion.reading.office_files import docx, encrypted_office, zipped

W_SPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def extract(fill: Any) -> ExtractedText:
    return read(docx(fill))


def read(content: bytes) -> ExtractedText:
    return DocxExtractor().extract(content, name="plik.docx", progress=no_progress)


def test_headings_paragraphs_and_tables_keep_their_order() -> None:
    def fill(document: Any) -> None:
        document.add_heading("Regulamin", 1)
        document.add_paragraph("Wstęp.")
        table = document.add_table(2, 2)
        for cell, text in zip(table._cells, ["Rok", "Kwota", "2024", "100 | 200"], strict=True):
            cell.text = text
        document.add_heading("Urlopy", 2)
        document.add_paragraph("Treść.")

    found = extract(fill)
    table = "| Rok | Kwota |\n| --- | --- |\n| 2024 | 100 \\| 200 |"
    assert found.text == f"# Regulamin\n\nWstęp.\n\n{table}\n\n## Urlopy\n\nTreść.\n"
    assert found.title == "Regulamin"


def test_lists_get_the_marks_that_word_shows() -> None:
    def fill(document: Any) -> None:
        for text in ("pierwszy", "drugi"):
            document.add_paragraph(text, style="List Number")
        document.add_paragraph("punkt", style="List Bullet")
        document.add_paragraph("Koniec.")

    assert extract(fill).text == "1. pierwszy\n2. drugi\n- punkt\n\nKoniec.\n"


def test_the_title_comes_from_the_properties_or_the_title_style() -> None:
    def styled(document: Any) -> None:
        document.add_heading("Rozdział", 1)
        document.add_paragraph("Zarządzenie nr 5", style="Title")

    def named(document: Any) -> None:
        document.core_properties.title = "Zarządzenie nr 6"
        styled(document)

    assert extract(styled).title == "Zarządzenie nr 5"
    assert extract(named).title == "Zarządzenie nr 6"


def test_merged_cells_are_not_repeated() -> None:
    def fill(document: Any) -> None:
        table = document.add_table(2, 3)
        table.cell(0, 0).merge(table.cell(0, 1)).text = "szeroka"
        for column, text in enumerate(("a", "b", "c")):
            table.cell(1, column).text = text
        table.cell(0, 2).text = "wąska"

    assert extract(fill).text == "| szeroka |  | wąska |\n| --- | --- | --- |\n| a | b | c |\n"


def test_a_frame_around_text_is_no_table() -> None:
    def fill(document: Any) -> None:
        document.add_table(1, 1).cell(0, 0).text = "Uwaga!"

    assert extract(fill).text == "Uwaga!\n"


def test_inserted_text_is_read_and_deleted_text_is_not() -> None:
    def fill(document: Any) -> None:
        from docx.oxml import parse_xml

        namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
        paragraph = document.add_paragraph("Termin: ")._p
        paragraph.append(parse_xml(f"<w:ins {namespace}><w:r><w:t>14 dni</w:t></w:r></w:ins>"))
        paragraph.append(parse_xml(f"<w:del {namespace}><w:r><w:delText>7 dni</w:delText></w:r></w:del>"))

    assert extract(fill).text == "Termin: 14 dni\n"


def test_rows_deleted_by_a_reviewer_are_left_out() -> None:
    def fill(document: Any) -> None:
        from docx.oxml import parse_xml

        table = document.add_table(3, 2)
        for cell, text in zip(table._cells, ["Rok", "Kwota", "2023", "1", "2024", "2"], strict=True):
            cell.text = text
        table.rows[1]._tr.get_or_add_trPr().append(parse_xml(f"<w:del {W_SPACE}/>"))

    assert extract(fill).text == "| Rok | Kwota |\n| --- | --- |\n| 2024 | 2 |\n"


def test_footnotes_follow_the_paragraph_that_bears_their_mark() -> None:
    def fill(document: Any) -> None:
        from docx.opc.packuri import PackURI
        from docx.opc.part import Part
        from docx.oxml import parse_xml

        for number, text in ((7, "Termin"), (3, "Kwota")):
            reference = f'<w:r {W_SPACE}><w:footnoteReference w:id="{number}"/></w:r>'
            document.add_paragraph(text)._p.append(parse_xml(reference))
        notes = "".join(
            f'<w:footnote w:id="{number}"><w:p><w:r><w:footnoteRef/><w:t> {text}</w:t></w:r></w:p></w:footnote>'
            for number, text in ((3, "W złotych."), (7, "Siedem dni."))
        )
        separator = '<w:footnote w:id="-1" w:type="separator"><w:p><w:r><w:t>---</w:t></w:r></w:p></w:footnote>'
        content = f"<w:footnotes {W_SPACE}>{separator}{notes}</w:footnotes>".encode()
        part = Part(PackURI("/word/footnotes.xml"), "application/xml", content, document.part.package)
        document.part.relate_to(part, "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes")

    assert extract(fill).text == "Termin[^1]\n\n[^1]: Siedem dni.\n\nKwota[^2]\n\n[^2]: W złotych.\n"


def test_comments_headers_and_footers_are_not_text() -> None:
    def fill(document: Any) -> None:
        document.sections[0].header.paragraphs[0].text = "Nagłówek"
        document.sections[0].footer.paragraphs[0].text = "Stopka"
        document.add_comment(document.add_paragraph("Treść.").runs, text="Uwaga recenzenta")

    assert extract(fill).text == "Treść.\n"


def test_dotted_lines_and_spaced_out_words_are_made_plain() -> None:
    def fill(document: Any) -> None:
        document.add_paragraph("D E K L A R A C J A")
        document.add_paragraph("Imię ................ nazwisko ……………")

    assert extract(fill).text == "DEKLARACJA\n\nImię … nazwisko …\n"


def test_a_document_without_text_is_empty() -> None:
    with pytest.raises(EmptyDocument):
        extract(lambda document: document.add_paragraph("  "))


def test_a_docx_with_a_password_fails_with_a_remedy() -> None:
    with pytest.raises(EncryptedDocument):
        read(encrypted_office())


@pytest.mark.parametrize(
    "content",
    [
        zipped({"word/document.xml": b"<x/>"}),
        docx(lambda document: document.add_paragraph("x"))[:3000],
        b"PK\x03\x04",
    ],
)
def test_a_damaged_docx_is_reported_as_such(content: bytes) -> None:
    with pytest.raises(CorruptDocument):
        read(content)


def test_a_zip_bomb_is_refused_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containers, "MAX_UNPACKED_BYTES", 100_000)
    with pytest.raises(DocumentTooLarge):
        read(zipped({"word/document.xml": b"0" * 200_000}))


@pytest.mark.parametrize(
    ("number", "name", "text"),
    [
        (4, "decimal", "4"),
        (4, "lowerLetter", "d"),
        (28, "upperLetter", "BB"),
        (14, "lowerRoman", "xiv"),
        (9, "upperRoman", "IX"),
    ],
)
def test_numbers_are_written_as_word_writes_them(number: int, name: str, text: str) -> None:
    assert numeral(number, name) == text
