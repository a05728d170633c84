from typing import Any

import pytest

from ingestion.errors import CorruptDocument, EmptyDocument
from ingestion.reading.formats.pptx.pptx import PptxExtractor
from ingestion.types import ExtractedText, no_progress
from tests.ingestion.reading.office_files import pptx, replaced_member


def read(content: bytes) -> ExtractedText:
    return PptxExtractor().extract(content, name="plik.pptx", progress=no_progress)


def slide(presentation: Any, title: str, *points: str) -> Any:
    added = presentation.slides.add_slide(presentation.slide_layouts[1])
    added.shapes.title.text = title
    added.placeholders[1].text = "\n".join(points)
    return added


def test_slides_are_pages_with_a_heading_and_points() -> None:
    def fill(presentation: Any) -> None:
        slide(presentation, "Urlopy", "wypoczynkowy", "ojcowski")
        slide(presentation, "Koniec")

    found = read(pptx(fill))
    assert found.text == "# Urlopy\n\n- wypoczynkowy\n- ojcowski\n\n# Koniec\n"
    assert [found.text[page.start : page.end].strip() for page in found.pages] == [
        "# Urlopy\n\n- wypoczynkowy\n- ojcowski",
        "# Koniec",
    ]


def test_a_slide_without_text_keeps_the_numbers_of_the_others() -> None:
    def fill(presentation: Any) -> None:
        presentation.slides.add_slide(presentation.slide_layouts[6])
        slide(presentation, "Druga")
        presentation.slides.add_slide(presentation.slide_layouts[6])

    pages = read(pptx(fill)).pages
    assert [(page.number, page.start, page.end) for page in pages] == [(1, 0, 0), (2, 0, 8), (3, 8, 8)]


def test_tables_notes_and_charts_are_read() -> None:
    def fill(presentation: Any) -> None:
        from pptx.chart.data import CategoryChartData
        from pptx.enum.chart import XL_CHART_TYPE

        one = slide(presentation, "Dane")
        table = one.shapes.add_table(2, 2, 0, 0, 100, 100).table
        for cell, text in zip(table.iter_cells(), ("Rok", "Kwota", "2024", "5 zł"), strict=True):
            cell.text = text
        numbers = CategoryChartData()
        numbers.categories = ["Kraków", "Łódź"]
        numbers.add_series("Osoby", (1.5, 2))
        one.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, 0, 0, 100, 100, numbers)
        one.notes_slide.notes_text_frame.text = "Proszę zaznaczyć wzrost."

    text = read(pptx(fill)).text
    assert "| Rok | Kwota |\n| --- | --- |\n| 2024 | 5 zł |" in text
    assert "|  | Osoby |\n| --- | --- |\n| Kraków | 1,5 |\n| Łódź | 2 |" in text
    assert "Proszę zaznaczyć wzrost." in text


def test_groups_are_read_and_hidden_slides_are_named() -> None:
    def fill(presentation: Any) -> None:
        one = slide(presentation, "Plan")
        box = one.shapes.add_group_shape().shapes.add_textbox(0, 0, 10, 10)
        box.text_frame.text = "w grupie"
        one._element.set("show", "0")

    found = read(pptx(fill))
    assert "w grupie" in found.text
    assert "1" in found.warnings[0]


def test_a_presentation_without_text_is_empty() -> None:
    with pytest.raises(EmptyDocument):
        read(pptx(lambda presentation: presentation.slides.add_slide(presentation.slide_layouts[6])))


def test_xml_entities_are_refused() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>'
    with pytest.raises(CorruptDocument):
        read(replaced_member(pptx(lambda presentation: slide(presentation, "a")), "ppt/presentation.xml", bomb))
