"""The blocks of an OpenDocument text or slide as Markdown."""

from collections.abc import Iterator
from typing import Any

from ingestion.reading.pipe_tables import pipe_table

OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
TEXT = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_DRAW = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_PRESENTATION = "{urn:oasis:names:tc:opendocument:xmlns:presentation:1.0}"
_SKIPPED = {
    f"{TEXT}tracked-changes", f"{OFFICE}annotation", f"{OFFICE}forms", f"{TEXT}table-of-content",
    f"{TEXT}sequence-decls", f"{TEXT}ruby-text", f"{TEXT}note", f"{_DRAW}frame", f"{_DRAW}custom-shape",
}  # fmt: skip
_FLOATING = (f"{TEXT}note", f"{_DRAW}frame", f"{_DRAW}custom-shape")
_FURNITURE = ("page-number", "date-time", "footer", "header", "page")
_MAX_SPAN = 50


def blocks_of(container: Any) -> Iterator[str]:
    """Headings, paragraphs, lists and tables in order; footnotes and text boxes after the block they hang on."""
    for element in container:
        if element.tag == f"{TEXT}h":
            if text := inline(element):
                yield f"{'#' * _level(element)} {text}"
        elif element.tag == f"{TEXT}p":
            if text := inline(element):
                yield text
        elif element.tag == f"{TEXT}list":
            if lines := "\n".join(_items(element, depth=0)):
                yield lines
        elif element.tag == f"{TABLE}table":
            yield from _table(element)
        elif element.tag == f"{_DRAW}frame":
            yield from _frame(element)
            continue
        elif element.tag not in _SKIPPED or element.tag == f"{_DRAW}custom-shape":
            yield from blocks_of(element)
            continue
        else:
            continue
        yield from _floating(element)


def inline(element: Any) -> str:
    """The visible text of a paragraph on one line; a footnote leaves its mark, "[^1]"."""
    return " ".join("".join(_pieces(element)).split())


def _pieces(element: Any) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        if child.tag in (f"{TEXT}s", f"{TEXT}tab", f"{TEXT}line-break"):
            yield " "
        elif child.tag == f"{TEXT}note":
            yield f"[^{_citation(child)}]"
        elif child.tag not in _SKIPPED:
            yield from _pieces(child)
        yield child.tail or ""


def _floating(element: Any) -> Iterator[str]:
    for one in element.iter(*_FLOATING):
        if one.tag == f"{TEXT}note":
            body = one.find(f"{TEXT}note-body")
            yield f"[^{_citation(one)}]: {' '.join(blocks_of(body)) if body is not None else ''}".rstrip()
        elif not any(parent.tag in _FLOATING for parent in one.iterancestors() if parent is not element):
            yield from blocks_of(one)


def _citation(note: Any) -> str:
    return " ".join("".join(note.find(f"{TEXT}note-citation").itertext()).split()) if len(note) else ""


def _frame(frame: Any) -> Iterator[str]:
    """A frame of a slide: its title is a heading, the number and the footer of the page are left out."""
    role = frame.get(f"{_PRESENTATION}class", "")
    if role in _FURNITURE:
        return
    blocks = list(blocks_of(frame))
    if role == "title" and blocks:
        yield "# " + " ".join(blocks)
    else:
        yield from blocks


def _items(items: Any, *, depth: int) -> Iterator[str]:
    for item in items:
        mark = f"{'  ' * depth}- "
        for block in item:
            if block.tag == f"{TEXT}list":
                yield from _items(block, depth=min(depth + 1, 8))
            elif block.tag in (f"{TEXT}p", f"{TEXT}h") and (text := inline(block)):
                yield mark + text
                mark = "  " * (depth + 1)


def _table(table: Any) -> Iterator[str]:
    """A pipe table; one of a single row or column only arranges the page and becomes paragraphs."""
    rows = [list(_row(row)) for row in table.iter(f"{TABLE}table-row") if _owner(row) is table]
    texts = [row for row in rows if any(row)]
    if len(texts) > 1 and any(sum(map(bool, row)) > 1 for row in texts):
        yield pipe_table(texts)
    else:
        yield from (text for row in texts for text in row if text)


def _row(row: Any) -> Iterator[str]:
    for cell in row:
        if cell.tag in (f"{TABLE}table-cell", f"{TABLE}covered-table-cell"):
            repeated = cell.get(f"{TABLE}number-columns-repeated", "1")
            text = " ".join(" ".join(blocks_of(cell)).split())
            yield from [text] * (min(int(repeated), _MAX_SPAN) if repeated.isdigit() else 1)


def _owner(row: Any) -> Any:
    return next(row.iterancestors(f"{TABLE}table"))


def _level(heading: Any) -> int:
    level = heading.get(f"{TEXT}outline-level", "1")
    return max(1, min(int(level), 6)) if level.isdigit() else 1
