"""Our readers of workbooks and presentations beside openpyxl, python-calamine and python-pptx, on the same files.

    python benchmarks/readers.py ../shared/data/documents

Each file is read by each reader in a process of its own, with limits of memory and time: processor seconds and the most
memory after what is imported, and the share of our (different) words that it shows too ("kept") and of its words that
we show ("known"). Then a workbook of things that are easy to lose, and files that want to do harm. Of a library we take
what its users take: of openpyxl cells in read-only mode with our number formats, of calamine values, of python-pptx
shapes and notes. A library that is not installed is skipped, and that is said.
"""

import argparse
import io
import json
import os
import resource
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from datetime import date, datetime
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

_MEMORY, _SECONDS = 2 * 2**30, 60
_READERS = {".xlsx": ("ours", "openpyxl", "calamine"), ".xls": ("ours", "calamine"), ".pptx": ("ours", "pptx")}
_MODULES = {"openpyxl": "openpyxl", "calamine": "python_calamine", "pptx": "pptx"}


def ours(content: bytes, suffix: str) -> str:
    from ingestion.reading.formats.pptx.pptx import PptxExtractor
    from ingestion.reading.formats.xlsx.xls import XlsExtractor
    from ingestion.reading.formats.xlsx.xlsx import XlsxExtractor
    from ingestion.types import no_progress

    reader = {".xlsx": XlsxExtractor, ".xls": XlsExtractor, ".pptx": PptxExtractor}[suffix]()
    return reader.extract(content, name=f"a{suffix}", progress=no_progress).text


def openpyxl(content: bytes, suffix: str) -> str:
    from openpyxl import load_workbook

    workbook = load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    shown = [sheet for sheet in workbook.worksheets if sheet.sheet_state == "visible"]
    return "\n".join(" ".join(_cell(cell) for cell in row) for sheet in shown for row in sheet.iter_rows())


def _cell(cell: Any) -> str:
    from openpyxl.utils.datetime import to_excel

    from ingestion.reading.formats.xlsx.number_formats import shown_number

    value = cell.value
    if isinstance(value, bool):
        return "PRAWDA" if value else "FAŁSZ"
    if isinstance(value, datetime | date):
        value = to_excel(value)
    return shown_number(value, cell.number_format) if isinstance(value, int | float) else str(value or "")


def calamine(content: bytes, suffix: str) -> str:
    from python_calamine import CalamineWorkbook, SheetVisibleEnum

    workbook = CalamineWorkbook.from_filelike(io.BytesIO(content))
    names = [one.name for one in workbook.sheets_metadata if one.visible == SheetVisibleEnum.Visible]
    rows = (row for name in names for row in workbook.get_sheet_by_name(name).iter_rows())
    return "\n".join(" ".join(_plain(value) for value in row if value != "") for row in rows)


def _plain(value: object) -> str:
    from ingestion.reading.formats.xlsx.number_formats import plain_number

    if isinstance(value, bool):
        return "PRAWDA" if value else "FAŁSZ"
    return plain_number(value) if isinstance(value, float) else str(value)


def pptx(content: bytes, suffix: str) -> str:
    from pptx import Presentation

    return "\n".join(text for slide in Presentation(io.BytesIO(content)).slides for text in _slide_texts(slide))


def _slide_texts(slide: Any) -> Iterator[str]:
    for shape in slide.shapes:
        if shape.has_text_frame:
            yield shape.text_frame.text
        if shape.has_table:
            yield from (cell.text for row in shape.table.rows for cell in row.cells)
    if slide.has_notes_slide:
        yield slide.notes_slide.notes_text_frame.text


def read_one(reader: str, path: Path) -> None:
    """In a process of its own: the text to standard output, with seconds and megabytes in its first line."""
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (_SECONDS, _SECONDS))
    readers: dict[str, Callable[[bytes, str], str]] = {one.__name__: one for one in (ours, openpyxl, calamine, pptx)}
    import_all(reader)
    before = resource.getrusage(resource.RUSAGE_SELF)
    try:
        text, error = readers[reader](path.read_bytes(), path.suffix), ""
    except BaseException as raised:
        text, error = "", type(raised).__name__
    after = resource.getrusage(resource.RUSAGE_SELF)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(json.dumps({"seconds": seconds, "mb": (after.ru_maxrss - before.ru_maxrss) / 1024, "error": error}))
    sys.stdout.write(text)


def import_all(reader: str) -> None:
    import django

    django.setup()
    modules = ("lxml.etree", "xlrd") if reader == "ours" else (_MODULES[reader],)
    formats = ("xlsx.xlsx", "xlsx.xls", "pptx.pptx")
    for name in (*modules, *(f"ingestion.reading.formats.{one}" for one in formats)):
        import_module(name)


def started(reader: str, path: Path) -> tuple[dict[str, Any], str]:
    command = [sys.executable, __file__, "--read", reader, str(path)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    head, _line, text = found.stdout.partition("\n")
    return (
        json.loads(head) if head else {"seconds": float("nan"), "mb": 0, "error": f"killed ({found.returncode})"}
    ), text


def words(text: str) -> set[str]:
    """The different ones: of a merged cell ours repeats the text in every row, and none is lost by that."""
    return set(text.replace("\u00a0", "").replace("|", " ").split())


def installed(reader: str) -> bool:
    return reader == "ours" or find_spec(_MODULES[reader]) is not None


def compared(path: Path) -> Iterator[str]:
    own = set[str]()
    for reader in filter(installed, _READERS[path.suffix]):
        figures, text = started(reader, path)
        found = words(text)
        own = own or found
        kept, known = (len(own & found) / max(len(one), 1) for one in (own, found))
        ends = f"{figures['error'] or 'read'}, {len(text)} characters, kept {kept:.3f}, known {known:.3f}"
        yield f"{path.name:45.45} {reader:9} {figures['seconds']:6.2f} s {figures['mb']:5.0f} MB  {ends}"


EASY_TO_LOSE = {
    "money": "12345,67zł", "date": "15.03.2024", "percent": "12,5%", "postcode": "00-950", "truth": "PRAWDA",
    "power": "m²", "box": "Objaśnienie", "merged": "Plan",
}  # fmt: skip


def telling_workbook() -> bytes:
    import xlsxwriter

    file = io.BytesIO()
    with xlsxwriter.Workbook(file, {"in_memory": True}) as workbook:
        sheet = workbook.add_worksheet("Jawny")
        shown = [(12345.67, '#,##0.00 "zł"'), (date(2024, 3, 15), "dd.mm.yyyy"), (0.125, "0.0%"), (950, "00-000")]
        for row, (value, pattern) in enumerate(shown):
            style = workbook.add_format({"num_format": pattern})
            (sheet.write_datetime if isinstance(value, date) else sheet.write_number)(row, 0, value, style)
        sheet.write_boolean(4, 0, True)
        sheet.write_rich_string(5, 0, "powierzchnia m", workbook.add_format({"font_script": 1}), "2")
        sheet.merge_range(6, 0, 6, 2, "Plan")
        sheet.insert_textbox(8, 4, "Objaśnienie")
        workbook.add_worksheet("Ukryty").write(0, 0, "tajne")
        workbook.worksheets()[1].hide()
    return file.getvalue()


def hostile(whole: bytes) -> Iterator[tuple[str, bytes]]:
    ns = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    laughs = b"".join(b"<!ENTITY a%d '%s'>" % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 11))
    laughs = b'<?xml version="1.0"?><!DOCTYPE sst [<!ENTITY a0 "ha">' + laughs + b"]><sst " + ns
    cell = b'<c r="XFD1048576"><v>1</v></c>'
    far = b"<worksheet " + ns + b'><dimension ref="A1:XFD1048576"/><sheetData><row r="1"><c r="A1"><v>1</v></c></row>'
    yield "billion laughs", with_member(whole, "xl/sharedStrings.xml", laughs + b"><si><t>&a10;</t></si></sst>")
    far += b'<row r="1048576">' + cell + b"</row></sheetData></worksheet>"
    yield "a cell in the last corner", with_member(whole, "xl/worksheets/sheet1.xml", far)
    yield "a bomb of 600 MB", with_member(whole, "xl/sharedStrings.xml", b" " * 600 * 2**20)
    yield "cut in half", whole[: len(whole) // 2]


def with_member(content: bytes, name: str, member: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for one in old.namelist():
            new.writestr(one, member if one == name else old.read(one))
    return made.getvalue()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--read", nargs=2, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.read:
        return read_one(arguments.read[0], Path(arguments.read[1]))
    for reader in _MODULES:
        if not installed(reader):
            print(f"{reader}: not installed, skipped")
    for path in sorted(arguments.folder.rglob("*")) if arguments.folder else ():
        if path.suffix in _READERS:
            print("\n".join(compared(path)), flush=True)
    if find_spec("xlsxwriter") is None:
        return print("xlsxwriter: not installed, made workbooks are skipped")
    with tempfile.TemporaryDirectory() as folder:
        for name, content in (("easy to lose", telling_workbook()), *hostile(telling_workbook())):
            path = Path(folder) / f"{name}.xlsx"
            path.write_bytes(content)
            for reader in filter(installed, _READERS[".xlsx"]):
                figures, text = started(reader, path)
                flat = text.replace("\u00a0", "").replace(" ", "")
                lost = (
                    [thing for thing, shown in EASY_TO_LOSE.items() if shown not in flat]
                    if name == "easy to lose"
                    else []
                )
                ends = f"{figures['error'] or 'read'}{', loses ' + ', '.join(lost) if lost else ''}"
                print(f"{name:26} {reader:9} {figures['seconds']:6.2f} s {figures['mb']:5.0f} MB  {ends}", flush=True)
    return None


if __name__ == "__main__":
    main()
