"""The XML of PowerPoint: the text of shapes, groups, tables, charts and notes."""

from collections.abc import Iterator
from typing import Any

from ingestion.reading.formats.xlsx.number_formats import plain_number
from ingestion.reading.pipe_tables import pipe_table

P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_CHOICE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Choice"
_ALTERNATIVES = "{http://schemas.openxmlformats.org/markup-compatibility/2006}AlternateContent"
_REPEATED = ("dt", "ftr", "hdr", "sldNum", "sldImg")
_MAX_POINTS = 500
"""Points of a chart that are written out; more of them are a curve that nobody reads as numbers."""


def is_title(shape: Any) -> bool:
    return _placeholder(shape) in ("title", "ctrTitle")


def shape_blocks(shape: Any) -> Iterator[str]:
    """The blocks of text in a shape, in those of a group, and the table of a frame."""
    if shape.tag == f"{P}sp" and _placeholder(shape) not in _REPEATED:
        if text := "\n".join(_paragraphs(shape, listed=_is_body(shape))):
            yield text
    elif shape.tag in (f"{P}grpSp", _CHOICE):
        for inner in shape:
            yield from shape_blocks(inner)
    elif shape.tag == _ALTERNATIVES:
        for inner in shape.findall(_CHOICE)[:1]:
            yield from shape_blocks(inner)
    elif shape.tag == f"{P}graphicFrame":
        for table in shape.iter(f"{A}tbl"):
            if text := pipe_table([list(_cells(row)) for row in table.iter(f"{A}tr")]):
                yield text


def notes_lines(notes: Any) -> Iterator[str]:
    """What the speaker wrote below a slide, without the picture and the number of the slide."""
    for shape in notes.iter(f"{P}sp"):
        if _placeholder(shape) == "body":
            yield from _paragraphs(shape, listed=False)


def chart_blocks(chart: Any) -> Iterator[str]:
    """The title of a chart, then a table with its categories and series."""
    title = chart.find(f".//{_C}chart/{_C}title")
    if title is not None and (text := _joined(title)):
        yield text
    columns = [_series(one) for one in chart.iter(f"{_C}ser")]
    categories = next((list(names) for names, _name, _values in columns if names), [])
    if columns and sum(len(values) for _names, _name, values in columns) <= _MAX_POINTS:
        numbers = sorted({number for _names, _name, values in columns for number in values})
        header = ["", *(name for _names, name, _values in columns)]
        rows = [
            [_at(categories, number), *(values.get(number, "") for _names, _name, values in columns)]
            for number in numbers
        ]
        yield pipe_table([header, *rows])


def _series(element: Any) -> tuple[list[str], str, dict[int, str]]:
    """The categories, the name and the values by number of one series."""
    points = {int(one.get("idx", "0")): _value(one) for one in element.findall(f"{_C}val//{_C}pt")}
    names = {int(one.get("idx", "0")): one.findtext(f"{_C}v") or "" for one in element.findall(f"{_C}cat//{_C}pt")}
    categories = [names.get(number, "") for number in range(max(names, default=-1) + 1)] if len(names) <= 999 else []
    return categories, " ".join(one.text or "" for one in element.findall(f"{_C}tx//{_C}v")), points


def _value(point: Any) -> str:
    text = point.findtext(f"{_C}v") or ""
    try:
        return plain_number(float(text))
    except ValueError:
        return text


def _at(names: list[str], number: int) -> str:
    return names[number] if number < len(names) else ""


def _placeholder(shape: Any) -> str:
    """The role of a shape in its layout ("title", "body", "obj", ...), "" for a free one."""
    found = shape.find(f"{P}nvSpPr/{P}nvPr/{P}ph")
    return "" if found is None else str(found.get("type", "obj"))


def _is_body(shape: Any) -> bool:
    """Whether its paragraphs are the points of a slide, which layouts show with bullets."""
    return _placeholder(shape) in ("body", "obj")


def _paragraphs(shape: Any, *, listed: bool) -> Iterator[str]:
    texts = [(one, text) for one in shape.iter(f"{A}p") if (text := _joined(one))]
    for paragraph, text in texts:
        properties = paragraph.find(f"{A}pPr")
        level = properties.get("lvl", "0") if properties is not None else "0"
        plain = not listed or len(texts) == 1 or (properties is not None and properties.find(f"{A}buNone") is not None)
        own = properties is not None and any(
            properties.find(f"{A}{mark}") is not None for mark in ("buChar", "buAutoNum")
        )
        depth = min(int(level), 8) if level.isdigit() else 0
        yield text if plain and not own else f"{'  ' * depth}- {text}"


def _joined(element: Any) -> str:
    """The text of runs and fields of a paragraph; line breaks become spaces."""
    pieces = (" " if one.tag == f"{A}br" else one.text or "" for one in element.iter(f"{A}t", f"{A}br"))
    return " ".join("".join(pieces).split())


def _cells(row: Any) -> Iterator[str]:
    for cell in row.findall(f"{A}tc"):
        continues = cell.get("hMerge") in ("1", "true") or cell.get("vMerge") in ("1", "true")
        yield "" if continues else " ".join(text for one in cell.iter(f"{A}p") if (text := _joined(one)))
