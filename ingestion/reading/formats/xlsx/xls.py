"""XLS: the workbooks of Excel 97 to 2003, and of its predecessors."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from django.utils.translation import gettext as _

from ingestion.errors import CorruptDocument, EncryptedDocument
from ingestion.reading.encoding import clean
from ingestion.reading.failures import reading, require_text
from ingestion.reading.formats.xlsx.number_formats import shown_number
from ingestion.reading.formats.xlsx.sheets import CellBudget, Merge, Row, Sheet, hidden_warning, sheets_markdown
from ingestion.reading.typography import raised
from ingestion.types import ExtractedText, Progress


class XlsExtractor:
    """As for XLSX: a heading and tables for each sheet that is shown, numbers as Excel shows them in Polish.

    Left out: hidden sheets (named in a warning), comments, charts, text boxes.
    """

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        with reading("XLS"):
            sheets = list(_sheets(_opened(content)))
        progress(1, 1)
        text = require_text(sheets_markdown([sheet for sheet in sheets if not sheet.hidden]))
        return ExtractedText(text=text, extractor="xls", warnings=hidden_warning(sheets))


def _opened(content: bytes) -> Any:
    import io

    import xlrd

    try:
        # Ragged: otherwise one cell in the last column would make all rows as wide.
        return xlrd.open_workbook(
            file_contents=content, formatting_info=True, on_demand=True, ragged_rows=True, logfile=io.StringIO()
        )
    except xlrd.XLRDError as error:
        if "encrypted" in str(error).lower():
            raise EncryptedDocument(_("The file is protected with a password.")) from error
        raise
    except (AssertionError, MemoryError, OverflowError) as error:  # xlrd trusts the sizes that a file claims
        raise CorruptDocument(_("The file is cut off or damaged: its archive cannot be opened.")) from error


def _sheets(book: Any) -> Iterator[Sheet]:
    budget = CellBudget()
    for index in range(book.nsheets):
        sheet = book.sheet_by_index(index)
        merges = [
            Merge(top=top, left=left, bottom=bottom - 1, right=right - 1)
            for top, bottom, left, right in sorted(sheet.merged_cells)
        ]
        rows = {number: row for number in range(sheet.nrows) if (row := _row(book, sheet, number, budget))}
        yield Sheet(name=sheet.name, rows=rows, merges=merges, hidden=sheet.visibility != 0)
        book.unload_sheet(index)


def _row(book: Any, sheet: Any, number: int, budget: CellBudget) -> Row:
    cells = {
        column: text
        for column, cell in enumerate(sheet.row(number))
        if cell.ctype not in (0, 6) and (text := _text(book, sheet, number, column))
    }
    budget.spend(len(cells))
    return cells


def _text(book: Any, sheet: Any, row: int, column: int) -> str:
    runs = sheet.rich_text_runlist_map.get((row, column))
    cell = sheet.cell(row, column)
    return _raised(book, str(cell.value), runs) if runs and cell.ctype == 1 else _shown(book, cell)


def _raised(book: Any, text: str, runs: Sequence[tuple[int, int]]) -> str:
    """The text of several fonts, of which some are raised; `runs`: from which character on which font holds."""
    bounds = [*runs, (len(text), -1)]
    pieces = [text[: bounds[0][0]]]
    for (start, font), (end, _next) in pairwise(bounds):
        is_raised = font < len(book.font_list) and book.font_list[font].escapement == 1
        pieces.append(raised(text[start:end]) if is_raised else text[start:end])
    return clean("".join(pieces)).strip()


def _shown(book: Any, cell: Any) -> str:
    """Kinds of cells: 1 text, 2 number, 3 date, 4 boolean, 5 error."""
    if cell.ctype in (2, 3):
        return shown_number(float(cell.value), _pattern(book, cell), from_1904=book.datemode == 1)
    if cell.ctype == 4:
        return "PRAWDA" if cell.value else "FAŁSZ"
    if cell.ctype == 5:
        import xlrd

        return str(xlrd.error_text_from_code.get(cell.value, ""))
    return clean(str(cell.value)).strip()


def _pattern(book: Any, cell: Any) -> str:
    number = book.xf_list[cell.xf_index].format_key if cell.xf_index is not None else 0
    found = book.format_map.get(number)
    pattern = str(found.format_str) if found is not None else ""
    return "" if pattern.lower() == "general" else pattern
