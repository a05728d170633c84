"""CSV as Polish spreadsheets open it, and so that no cell is taken for a formula."""

import csv
import io
from collections.abc import Iterable

BYTE_ORDER_MARK = "\ufeff"
"""Before the first line."""

_FORMULA = tuple("=+-@\t\r")


def csv_line(cells: Iterable[object]) -> str:
    """Between semicolons, each cell guarded; a number stays one."""
    line = io.StringIO()
    csv.writer(line, delimiter=";").writerow(cell if isinstance(cell, int) else guarded(cell) for cell in cells)
    return line.getvalue()


def guarded(value: object) -> str:
    """With an apostrophe before what a spreadsheet would calculate."""
    text = str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text
