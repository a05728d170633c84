from datetime import date
from typing import Any

import pytest

from ingestion.errors import CorruptDocument, DocumentTooLarge, EmptyDocument, EncryptedDocument
from ingestion.reading import containers
from ingestion.reading.formats.xlsx import sheets
from ingestion.reading.formats.xlsx.xlsx import XlsxExtractor
from ingestion.types import ExtractedText, no_progress
from tests.ingestion.reading.office_files import encrypted_office, replaced_member, xlsx, xlsx_with_shared_strings
from tests.steps import steps


def extract(fill: Any) -> ExtractedText:
    return read(xlsx(fill))


def read(content: bytes) -> ExtractedText:
    return XlsxExtractor().extract(content, name="plik.xlsx", progress=no_progress)


def rows(*values: list[Any]) -> Any:
    def fill(workbook: Any) -> None:
        workbook.active.title = "Arkusz"
        for row in values:
            workbook.active.append(row)

    return fill


def test_a_sheet_is_a_heading_and_a_table() -> None:
    assert extract(rows(["Rok", "Kwota"], [2024, 10.5], [2025, True])).text == (
        "# Arkusz\n\n| Rok | Kwota |\n| --- | --- |\n| 2024 | 10,5 |\n| 2025 | PRAWDA |\n"
    )


def test_values_are_those_that_excel_shows() -> None:
    def fill(workbook: Any) -> None:
        rows(["Dzień", "Kwota", "Udział"], [date(2024, 3, 15), 1234.5, 0.125])(workbook)
        for cell, pattern in zip(workbook.active[2], ("dd.mm.yyyy", '#,##0.00 "zł"', "0.0%"), strict=True):
            cell.number_format = pattern

    assert "| 15.03.2024 | 1\u00a0234,50 zł | 12,5% |" in extract(fill).text


def test_a_header_of_several_rows_becomes_one() -> None:
    def fill(workbook: Any) -> None:
        rows(["Lp.", "Plan", None], [None, "2024", "2025"], [1, 10, 20])(workbook)
        workbook.active.merge_cells("A1:A2")
        workbook.active.merge_cells("B1:C1")

    assert "| Lp. | Plan 2024 | Plan 2025 |\n| --- | --- | --- |\n| 1 | 10 | 20 |" in extract(fill).text


def test_a_cell_over_several_rows_stands_in_each_of_them() -> None:
    def fill(workbook: Any) -> None:
        rows(["Dział", "Kwota"], ["Kadry", 1], [None, 2])(workbook)
        workbook.active.merge_cells("A2:A3")

    assert "| Kadry | 1 |\n| Kadry | 2 |" in extract(fill).text


def test_titles_and_notes_around_a_table_are_lines() -> None:
    text = extract(rows(["Budżet gminy"], [], ["Rok", "Kwota"], [2024, 1], ["Źródło: urząd"])).text
    assert text == "# Arkusz\n\nBudżet gminy\n\n| Rok | Kwota |\n| --- | --- |\n| 2024 | 1 |\n\nŹródło: urząd\n"


def test_an_empty_row_does_not_end_a_table_of_numbers() -> None:
    text = extract(rows(["Rok", "Kwota"], [2023, 1], [], [2024, 2])).text
    assert "| 2023 | 1 |\n| 2024 | 2 |" in text


def test_two_tables_keep_their_headers() -> None:
    text = extract(rows(["Rok", "Kwota"], [2023, 1], [], ["Imię", "Nazwisko"], ["Jan", "Kowal"])).text
    assert text.count("| --- | --- |") == 2


def test_hidden_sheets_are_left_out_and_named() -> None:
    def fill(workbook: Any) -> None:
        rows(["widoczne"])(workbook)
        other = workbook.create_sheet("Słownik")
        other.append(["tajne"])
        other.sheet_state = "hidden"

    found = extract(fill)
    assert "tajne" not in found.text
    assert len(found.warnings) == 1
    assert "Słownik" in found.warnings[0]


def test_formulas_without_a_stored_value_are_counted_in_a_warning() -> None:
    found = extract(rows(["a", "b"], [1, "=A2*2"]))
    assert "| 1 |" in found.text
    assert len(found.warnings) == 1
    assert "1" in found.warnings[0]


def test_a_far_cell_does_not_build_the_sheet_between() -> None:
    def fill(workbook: Any) -> None:
        workbook.active["A1"] = "początek"
        workbook.active["XFD1048576"] = "koniec"

    content = xlsx(fill)
    assert read(content).text == "# Sheet\n\npoczątek\n\nkoniec\n"
    assert steps(lambda: read(content)) < 10_000  # of a million rows and seventeen thousand million cells


def test_cells_far_apart_that_would_make_a_giant_table_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "MAX_TABLE", 100)

    def diagonal(workbook: Any) -> None:
        for number in range(1, 20):
            workbook.active.cell(number, number, "x")
            workbook.active.cell(number, number + 1, "y")

    with pytest.raises(DocumentTooLarge):
        extract(diagonal)


def test_a_workbook_of_too_many_cells_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sheets, "MAX_CELLS", 10)
    with pytest.raises(DocumentTooLarge):
        extract(rows(*[["a", "b"]] * 6))


def test_a_workbook_without_values_is_empty() -> None:
    with pytest.raises(EmptyDocument):
        extract(lambda workbook: None)


def test_a_password_is_reported() -> None:
    with pytest.raises(EncryptedDocument):
        read(encrypted_office())


def test_a_part_that_is_missing_or_broken_is_reported() -> None:
    whole = xlsx(rows(["a"]))
    for damaged in (replaced_member(whole, "xl/workbook.xml", b"<workbook"), whole[: len(whole) // 2]):
        with pytest.raises(CorruptDocument):
            read(damaged)


def test_an_archive_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containers, "MAX_UNPACKED_BYTES", 100_000)
    with pytest.raises(DocumentTooLarge):
        read(replaced_member(xlsx(rows(["a"])), "xl/media/x.bin", bytes(200_000)))


@pytest.mark.parametrize("part", ["xl/sharedStrings.xml", "xl/worksheets/sheet1.xml", "xl/workbook.xml"])
def test_xml_entities_are_refused_in_every_part(part: str) -> None:
    whole = xlsx_with_shared_strings(lambda workbook: workbook.add_worksheet().write("A1", "tekst"))
    bomb = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><x><sheet/><si/><row/>&b;</x>'
    with pytest.raises(CorruptDocument) as caught:
        read(replaced_member(whole, part, bomb))
    assert "XML" in caught.value.message


def test_a_raised_letter_is_a_note_and_a_raised_digit_a_power() -> None:
    def fill(workbook: Any) -> None:
        raised = workbook.add_format({"font_script": 1})
        workbook.add_worksheet("Ź").write_rich_string("A1", "rozwód", raised, "d", " m", raised, "2")

    assert read(xlsx_with_shared_strings(fill)).text == "# Ź\n\nrozwód (d) m²\n"


def test_text_boxes_on_a_sheet_are_read() -> None:
    def fill(workbook: Any) -> None:
        workbook.add_worksheet().insert_textbox("C3", "Objaśnienie w ramce")

    assert "Objaśnienie w ramce" in read(xlsx_with_shared_strings(fill)).text
