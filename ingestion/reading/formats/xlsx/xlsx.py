"""XLSX: what the sheets show, read straight from the XML so that no empty range is ever built."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from ingestion.reading.encoding import clean
from ingestion.reading.failures import reading, require_text
from ingestion.reading.formats.xlsx.number_formats import plain_number, shown_number
from ingestion.reading.formats.xlsx.parts import WORKBOOK, Lookups, S, Z, drawn_texts, lookups_of, rich_text
from ingestion.reading.formats.xlsx.sheets import CellBudget, Merge, Row, Sheet, hidden_warning, sheets_markdown
from ingestion.reading.ooxml import OFFICE_RELATION, Parts
from ingestion.types import ExtractedText, Progress

_REFERENCE = re.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})")
_BOOLEANS = {"1": "PRAWDA", "0": "FAŁSZ"}  # as a Polish Excel shows them


class XlsxExtractor:
    """A heading and tables for each sheet that is shown; numbers and dates as Excel shows them in Polish.

    Left out: hidden sheets (named in a warning), comments, charts, pictures. Of formulas the values that the
    file keeps; where it keeps none, a warning says how many. Raises Encrypted-, Corrupt- or EmptyDocument,
    DocumentTooLarge.
    """

    def extract(self, content: bytes, *, name: str, progress: Progress) -> ExtractedText:
        sheets: list[_ReadSheet] = []
        with reading("XLSX"), Parts(content) as parts:
            title = clean(parts.title())
            sheets = list(_sheets(parts))
        progress(1, 1)
        shown = [one.sheet for one in sheets if not one.sheet.hidden]
        text = require_text(sheets_markdown(shown))
        warnings = (*hidden_warning([one.sheet for one in sheets]), *_uncalculated(sheets))
        return ExtractedText(text=text, extractor="xlsx", title=title, warnings=warnings)


@dataclass(frozen=True, slots=True, kw_only=True)
class _ReadSheet:
    """A sheet, and how many of its formulas have no stored value."""

    sheet: Sheet
    uncalculated: int


def _uncalculated(sheets: Sequence[_ReadSheet]) -> tuple[str, ...]:
    missing = sum(one.uncalculated for one in sheets if not one.sheet.hidden)
    message = _("%(count)d formulas have no stored value. Open the file in a spreadsheet program and save it again.")
    return (message % {"count": missing},) if missing else ()


def _sheets(parts: Parts) -> Iterator[_ReadSheet]:
    workbook, relations = parts.tree(WORKBOOK), parts.relations(WORKBOOK)
    lookups = lookups_of(parts, workbook, relations)
    budget = CellBudget()
    for one in workbook.iter(f"{S}sheet"):
        relation = relations.get(one.get(f"{OFFICE_RELATION}id", "")) or relations.get(one.get(f"{Z}id", ""))
        if relation and relation.kind == "worksheet":
            sheet = Sheet(name=one.get("name", ""), rows={}, hidden=one.get("state", "visible") != "visible")
            yield _read(parts, relation.target, sheet, lookups, budget)


def _read(parts: Parts, part: str, empty: Sheet, lookups: Lookups, budget: CellBudget) -> _ReadSheet:
    rows: dict[int, Row] = {}
    merges: list[Merge] = []
    uncalculated, number = 0, -1
    for element in parts.elements(part, *(f"{space}{tag}" for space in (S, Z) for tag in ("row", "mergeCell"))):
        if element.tag.endswith("mergeCell"):
            merges += _merge(element.get("ref", ""))
            continue
        number = int(element.get("r", number + 2)) - 1
        cells, missing = _cells(element, lookups)
        uncalculated += missing
        budget.spend(len(cells))
        if cells:
            rows[number] = cells
    ordered = dict(sorted(rows.items()))
    notes = tuple(clean(text) for text in drawn_texts(parts, part))
    ordered_merges = sorted(merges, key=lambda one: one.top)
    return _ReadSheet(sheet=replace(empty, rows=ordered, merges=ordered_merges, notes=notes), uncalculated=uncalculated)


def _cells(row: Any, lookups: Lookups) -> tuple[dict[int, str], int]:
    """The texts of a row by column, and the number of formulas without a value."""
    cells: dict[int, str] = {}
    missing, column = 0, -1
    for cell in row:
        place = _REFERENCE.match(cell.get("r", ""))
        column = _column(place[1]) if place else column + 1
        text = _text(cell, lookups)
        if text.strip():
            cells[column] = text.strip()
        elif _child(cell, "f") is not None and not text and cell.get("t") != "str":  # "str": the result is ""
            missing += 1
    return cells, missing


def _text(cell: Any, lookups: Lookups) -> str:
    kind = cell.get("t", "n")
    if kind == "inlineStr":
        return rich_text(cell)
    found = _child(cell, "v")
    value = "" if found is None else found.text or ""
    if kind == "s":
        return lookups.strings[int(value)] if value else ""
    if kind == "b":
        return _BOOLEANS.get(value, value)
    if kind in ("str", "e", "d") or not value:
        return clean(value)
    return _number(value, cell.get("s", ""), lookups)


def _number(value: str, style: str, lookups: Lookups) -> str:
    pattern = lookups.formats[int(style)] if style.isdigit() and int(style) < len(lookups.formats) else ""
    if not pattern or pattern == "General":
        return plain_number(float(value))
    return shown_number(float(value), pattern, from_1904=lookups.from_1904)


def _child(cell: Any, name: str) -> Any | None:
    return next((one for one in cell if one.tag in (S + name, Z + name)), None)


def _column(letters: str) -> int:
    """ "A" is 0, "AA" is 26."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1


def _merge(reference: str) -> Iterator[Merge]:
    corners = _REFERENCE.findall(reference)
    if len(corners) == 2:
        (left, top), (right, bottom) = corners
        yield Merge(top=int(top) - 1, left=_column(left), bottom=int(bottom) - 1, right=_column(right))
