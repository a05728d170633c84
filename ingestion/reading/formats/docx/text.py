"""The XML of Word: which elements carry text, what a paragraph is, what its style says."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_BOX = f"{W}txbxContent"
# Deleted and moved text is still in the file; old drawings repeat the text of new ones; fields carry their
# code.
_SKIPPED = {
    f"{W}del",
    f"{W}moveFrom",
    f"{W}instrText",
    f"{W}delText",
    _FALLBACK,
    _BOX,
    f"{W}pPr",
    f"{W}rPr",
}
NOTE_MARK = "\ue000"  # of private use: around the kind and the number of a note until it is written out
_NOTES = {f"{W}footnoteReference": "f", f"{W}endnoteReference": "e"}
_TEXTS = (f"{W}t", "{http://schemas.openxmlformats.org/officeDocument/2006/math}t")
_SIGNS = {f"{W}tab": "\t", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ParagraphStyle:
    """`outline`: the heading level from 1, 0 for body text; `list_id`, `depth`: its place in a list."""

    outline: int = 0
    is_title: bool = False
    list_id: str = ""
    depth: int = 0


def blocks(container: Any) -> Iterator[Any]:
    """The paragraphs and tables (XML) in order, those in content controls and text boxes too."""
    for child in container:
        if child.tag in (f"{W}p", f"{W}tbl"):
            yield child
            if child.tag == f"{W}p":
                yield from _boxed(child)
        elif child.tag in (f"{W}sdt", f"{W}sdtContent", f"{W}customXml", f"{W}ins", f"{W}moveTo"):
            yield from blocks(child)


def is_table(block: Any) -> bool:
    return bool(block.tag == f"{W}tbl")


def paragraph_text(paragraph: Any) -> str:
    """The visible text of a paragraph, inserted text included and deleted text not; line breaks as "\\n"."""
    return "".join(_pieces(paragraph))


def rows(table: Any) -> Iterator[list[str]]:
    """The rows of a table as texts; a cell over several columns or rows is followed by empty ones.

    Rows that are marked as deleted are left out.
    """
    for row in _children(table, "tr"):
        if row.find(f"{W}trPr/{W}del") is not None:
            continue
        cells: list[str] = []
        for cell in _children(row, "tc"):
            properties = cell.find(f"{W}tcPr")
            span, goes_on = _cell_span(properties) if properties is not None else (1, False)
            cells += ["" if goes_on else _cell_text(cell), *[""] * (span - 1)]
        yield cells


def style_of(element: Any, inherited: ParagraphStyle) -> ParagraphStyle:
    """What the properties of a paragraph (or of a style) say, on top of what they inherit."""
    properties = element.find(f"{W}pPr")
    if properties is None:
        return inherited
    outline = _value(properties, "outlineLvl")
    level = int(outline) + 1 if outline.isdigit() and int(outline) < 9 else (0 if outline else inherited.outline)
    numbers = properties.find(f"{W}numPr")
    list_id = _value(numbers, "numId") if numbers is not None else ""
    depth = _value(numbers, "ilvl") if numbers is not None else ""
    return ParagraphStyle(
        outline=level,
        is_title=inherited.is_title,
        list_id=list_id or inherited.list_id,
        depth=min(int(depth), 8) if depth.isdigit() else inherited.depth,
    )


def style_name(paragraph: Any) -> str:
    """The id of the style of a paragraph, "" for the default one."""
    properties = paragraph.find(f"{W}pPr")
    return _value(properties, "pStyle") if properties is not None else ""


def _boxed(paragraph: Any) -> Iterator[Any]:
    for box in paragraph.iter(_BOX):
        if not any(parent.tag == _FALLBACK for parent in box.iterancestors()):
            yield from (one for one in blocks(box))


def _pieces(element: Any) -> Iterator[str]:
    for child in element:
        if child.tag in _TEXTS:
            yield child.text or ""
        elif child.tag in _NOTES:
            yield f"{NOTE_MARK}{_NOTES[child.tag]}{child.get(f'{W}id', '')}{NOTE_MARK}"
        elif child.tag in _SIGNS:
            yield _SIGNS[child.tag]
        elif child.tag not in _SKIPPED:
            yield from _pieces(child)


def _children(element: Any, name: str) -> Iterator[Any]:
    """Children of the name, also those wrapped in content controls or marked as inserted."""
    for child in element:
        if child.tag == f"{W}{name}":
            yield child
        elif child.tag in (f"{W}sdt", f"{W}sdtContent", f"{W}ins", f"{W}customXml"):
            yield from _children(child, name)


def _cell_text(cell: Any) -> str:
    texts = (
        " ".join(" ".join(row) for row in rows(one)) if is_table(one) else paragraph_text(one) for one in blocks(cell)
    )
    return " ".join(text for text in texts if text.strip())


def _cell_span(properties: Any) -> tuple[int, bool]:
    span = _value(properties, "gridSpan")
    merge = properties.find(f"{W}vMerge")
    goes_on = merge is not None and merge.get(f"{W}val", "continue") == "continue"
    return (min(int(span), 63) if span.isdigit() and int(span) else 1), goes_on


def _value(properties: Any, name: str) -> str:
    found = properties.find(f"{W}{name}")
    return "" if found is None else str(found.get(f"{W}val", ""))
