from datetime import date
from typing import Any

import pytest

from ingestion.errors import CorruptDocument
from ingestion.reading.formats.xlsx.xls import XlsExtractor
from ingestion.types import ExtractedText, no_progress
from tests.ingestion.reading.office_files import OLE, xls


def extract(content: bytes) -> ExtractedText:
    return XlsExtractor().extract(content, name="plik.xls", progress=no_progress)


def test_old_workbooks_read_like_new_ones() -> None:
    def fill(workbook: Any) -> None:
        import xlwt

        sheet = workbook.add_sheet("Źródła")
        sheet.write_merge(0, 0, 1, 2, "Plan")
        sheet.write_merge(0, 1, 0, 0, "Dzień")
        sheet.write(1, 1, "2024")
        sheet.write(1, 2, "2025")
        sheet.write(2, 0, date(2024, 3, 15), xlwt.easyxf(num_format_str="DD.MM.YYYY"))
        sheet.write(2, 1, 1234.5, xlwt.easyxf(num_format_str="#,##0.00"))
        sheet.write(2, 2, True)
        hidden = workbook.add_sheet("Ukryty")
        hidden.write(0, 0, "tajne")
        hidden.visibility = 1

    found = extract(xls(fill))
    assert found.text == (
        "# Źródła\n\n| Dzień | Plan 2024 | Plan 2025 |\n| --- | --- | --- |\n| 15.03.2024 | 1\u00a0234,50 | PRAWDA |\n"
    )
    assert "Ukryty" in found.warnings[0]


@pytest.mark.parametrize("content", [OLE + b"\0" * 600, b"x"])
def test_a_damaged_workbook_is_reported(content: bytes) -> None:
    with pytest.raises(CorruptDocument):
        extract(content)
