"""The sheets of an OpenDocument workbook. Cells keep the text that was shown when the file was saved."""

from typing import Any

from ingestion.reading.encoding import clean
from ingestion.reading.formats.opendocument.text import OFFICE, TABLE, TEXT, inline
from ingestion.reading.formats.xlsx.sheets import CellBudget, Merge, Row, Sheet

_STYLE = "{urn:oasis:names:tc:opendocument:xmlns:style:1.0}"
_CELLS = (f"{TABLE}table-cell", f"{TABLE}covered-table-cell")
_MAX_ROWS = 1_048_576


def read_sheets(body: Any) -> list[Sheet]:
    """Every sheet; runs of equal cells and rows are stored once with a count, often to the end of the sheet."""
    budget = CellBudget()
    hidden = _hidden_styles(body.getroottree().getroot())
    tables = body.findall(f"{TABLE}table")
    return [_sheet(one, hidden=one.get(f"{TABLE}style-name", "") in hidden, budget=budget) for one in tables]


def _hidden_styles(root: Any) -> set[str]:
    return {
        style.get(f"{_STYLE}name", "")
        for style in root.iter(f"{_STYLE}style")
        for properties in style.iter(f"{_STYLE}table-properties")
        if properties.get(f"{TABLE}display") == "false"
    }


def _sheet(table: Any, *, hidden: bool, budget: CellBudget) -> Sheet:
    rows: dict[int, Row] = {}
    merges: list[Merge] = []
    number = 0
    for element in table.iter(f"{TABLE}table-row"):
        cells = _cells(element, number, merges, budget)
        repeated = min(_count(element, "number-rows-repeated"), _MAX_ROWS)
        if cells:
            budget.spend(len(cells) * repeated)
            rows.update((number + offset, cells) for offset in range(repeated))
        number += repeated
    return Sheet(name=table.get(f"{TABLE}name", ""), rows=rows, merges=merges, hidden=hidden)


def _cells(row: Any, number: int, merges: list[Merge], budget: CellBudget) -> Row:
    cells: dict[int, str] = {}
    column = 0
    for cell in row.iterchildren(*_CELLS):
        text = clean("\n".join(inline(one) for one in cell.findall(f"{TEXT}p"))).strip()
        text = text or ("" if cell.tag != _CELLS[0] else cell.get(f"{OFFICE}value", ""))
        repeated = _count(cell, "number-columns-repeated")
        if text:
            budget.spend(repeated)
            cells.update((column + offset, text) for offset in range(repeated))
            width, height = _count(cell, "number-columns-spanned"), _count(cell, "number-rows-spanned")
            if width * height > 1:
                merges.append(Merge(top=number, left=column, bottom=number + height - 1, right=column + width - 1))
        column += repeated
    return cells


def _count(element: Any, name: str) -> int:
    value = element.get(f"{TABLE}{name}", "1")
    return max(int(value), 1) if value.isdigit() and len(value) < 9 else 1
