"""An HTML element as Markdown: headings, lists with their numbers, tables, code; no links, no pictures."""

import re
from collections.abc import Iterator
from typing import Any

from ingestion.reading.pipe_tables import pipe_table

_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
_INLINE = {
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "cite", "code", "data", "del", "dfn", "em",
    "font", "i", "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub",
    "sup", "time", "tt", "u", "var", "wbr",
}  # fmt: skip
_DROPPED = {
    "script", "style", "noscript", "template", "svg", "math", "iframe", "object", "canvas", "audio", "video",
    "button", "select", "option", "textarea", "input", "dialog", "img", "picture", "head", "hr", "map",
}  # fmt: skip
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_SPACES = re.compile(r"[ \t\n\r\f]+")
_LINE_BREAK = "\x1e"  # stands for <br> until white space is collapsed


def markdown_of(element: Any) -> str:
    """What is visible in an lxml element, blocks separated by empty lines."""
    return "\n\n".join(_blocks(element))


def visible_text(element: Any) -> str:
    """What is visible in an lxml element on one line."""
    return _collapsed(_inline(element)).replace("\n", " ")


def is_hidden(element: Any) -> bool:
    """Whether a reader never sees the element; comments and processing instructions have no tag name."""
    if not isinstance(element.tag, str) or element.tag in _DROPPED:
        return True
    return (
        element.get("hidden") is not None
        or element.get("aria-hidden") == "true"
        or _HIDDEN.search(element.get("style") or "") is not None
    )


def _blocks(element: Any) -> Iterator[str]:
    """The blocks inside `element`; text and inline elements between blocks make a paragraph."""
    running = [element.text or ""]
    for child in element:
        if is_hidden(child):
            pass
        elif child.tag in _INLINE and not _holds_block(child):
            running.append(_inline(child))
        else:
            yield from _paragraph(running)
            yield from _block(child)
            running = []
        running.append(child.tail or "")
    yield from _paragraph(running)


def _holds_block(element: Any) -> bool:
    return any(isinstance(one.tag, str) and one.tag not in _INLINE | _DROPPED for one in element.iterdescendants())


def _paragraph(running: list[str]) -> Iterator[str]:
    text = _collapsed("".join(running))
    if text:
        yield text


def _block(element: Any) -> Iterator[str]:
    if element.tag in _HEADINGS:
        text = visible_text(element)
        if text:
            yield f"{'#' * int(element.tag[1])} {text}"
    elif element.tag in ("ul", "ol"):
        lines = "\n".join(_items(element, indent=""))
        if lines:
            yield lines
    elif element.tag == "table":
        yield from _table(element)
    elif element.tag == "pre":
        code = "".join(element.itertext()).strip("\n")
        if code.strip():
            yield f"```\n{code}\n```"
    else:
        yield from _blocks(element)


def _items(element: Any, *, indent: str) -> Iterator[str]:
    number = int(element.get("start")) if (element.get("start") or "").isdigit() else 1
    for item in element:
        if is_hidden(item):
            continue
        mark = f"{number}. " if element.tag == "ol" else "- "
        number += 1
        yield from _item(item, mark=mark, indent=indent)


def _item(item: Any, *, mark: str, indent: str) -> Iterator[str]:
    """The lines of one item: its text after the mark, nested lists and further blocks indented."""
    deeper = indent + " " * len(mark)
    nested = [one for one in item if one.tag in ("ul", "ol")]
    if item.tag in ("ul", "ol"):  # a list straight in a list, as old editors write it
        yield from _items(item, indent=deeper)
        return
    own = [block for one in _without(item, nested) for block in one.split("\n")]
    first, *further = own or [""]
    if first or nested:
        yield f"{indent}{mark}{first}".rstrip()
    yield from (f"{deeper}{line}" for line in further if line)
    for inner in nested:
        yield from _items(inner, indent=deeper)


def _without(item: Any, nested: list[Any]) -> list[str]:
    for inner in nested:
        tail, inner.tail = inner.tail, None
        placeholder = item.makeelement("br")
        placeholder.tail = tail
        item.replace(inner, placeholder)
    return list(_blocks(item))


def _table(table: Any) -> Iterator[str]:
    """A pipe table, or the content of the cells where the table only arranges the page."""
    rows = [row for row in table.iter("tr") if next(row.iterancestors("table")) is table]
    caption = table.find("caption")
    if caption is not None:
        yield from _paragraph([visible_text(caption)])
    arranges = table.find(".//table") is not None or max((len(row) for row in rows), default=0) < 2
    if arranges:
        for row in rows:
            for cell in row:
                if not is_hidden(cell):
                    yield from _blocks(cell)
    elif text := pipe_table([list(_cells(row)) for row in rows]):
        yield text


def _cells(row: Any) -> Iterator[str]:
    for cell in row:
        if cell.tag in ("td", "th") and not is_hidden(cell):
            yield " ".join(_blocks(cell))
            span = cell.get("colspan") or ""
            yield from [""] * (min(int(span), 50) - 1 if span.isdigit() else 0)


def _inline(element: Any) -> str:
    parts = [_LINE_BREAK if element.tag == "br" else element.text or ""]
    for child in element:
        if not is_hidden(child):
            parts.append(_inline(child))
        parts.append(child.tail or "")
    text = "".join(parts)
    # "Art. 2<sup>1</sup>" is another article than 21.
    return f"^{text.strip()}" if element.tag == "sup" and text.strip().isdigit() else text


def _collapsed(text: str) -> str:
    lines = _SPACES.sub(" ", text).split(_LINE_BREAK)
    return "\n".join(line.strip() for line in lines if line.strip())
