"""Running headers, footers and page numbers."""

import re
from collections import Counter
from collections.abc import Sequence

from ingestion.reading.formats.pdf.layout.lines import Line

EDGE_LINES = 4
"""Lines at the top and at the bottom of a page that may be a header or a footer."""

_NUMBER = re.compile(r"\S*\d\S*")
"""A date, the number of a page, a check sum: what differs in lines that repeat."""

_BARE_NUMBER = re.compile(r"[-–]?\s*\d{1,4}\s*[-–]?")
_PAGE_NUMBER = re.compile(
    r"(?:strona|str\.|page)\s*\d{1,4}(?:\s*(?:z|/|of)\s*\d{1,4})?|\d{1,4}\s*(?:/|z|of)\s*\d{1,4}", re.I
)


def without_furniture(pages: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """The pages without page numbers, and without the lines that most of them repeat at the same height.

    Odd and even pages may differ, so a line counts as repeated on two pages in five. It stays where it stands
    first: letterheads are worth citing, and what repeats may be the head of a table or the text of a form.
    """
    repeated = _repeated(pages)
    seen: set[tuple[str, int]] = set()
    kept: list[list[Line]] = []
    for page in pages:
        edges = _edges(page)
        numbers = _page_numbers(page) if len(pages) > 1 else set()
        running = {id(line) for line in page if id(line) in edges and _key(line) in repeated & seen}
        kept.append([line for line in page if id(line) not in numbers | running])
        seen.update(map(_key, page))
    return kept


def without_repeated(margins: Sequence[Sequence[Line]]) -> list[list[Line]]:
    """Marks in the margins without those that stand on more than one page."""
    counts = Counter(text for margin in margins for text in {line.text for line in margin})
    return [[line for line in margin if counts[line.text] == 1] for margin in margins]


def _repeated(pages: Sequence[Sequence[Line]]) -> set[tuple[str, int]]:
    counts: Counter[tuple[str, int]] = Counter()
    for page in pages:
        edges = _edges(page)
        counts.update({_key(line) for line in page if id(line) in edges})
    return {key for key, count in counts.items() if count >= max(2, 0.4 * len(pages))}


def _key(line: Line) -> tuple[str, int]:
    return _NUMBER.sub("#", line.text.lower()), round(line.box.bottom / 6)


def _edges(page: Sequence[Line]) -> set[int]:
    ordered = sorted(page, key=lambda line: line.box.bottom)
    return {id(line) for line in [*ordered[:EDGE_LINES], *ordered[-EDGE_LINES:]]}


def _page_numbers(page: Sequence[Line]) -> set[int]:
    """ "Strona 2 z 3" near either end of the page, a bare number only as its outermost line."""
    ordered = sorted(page, key=lambda line: line.box.bottom)
    bare = {id(line) for line in [*ordered[:1], *ordered[-1:]] if _BARE_NUMBER.fullmatch(line.text)}
    edges = _edges(page)
    return bare | {id(line) for line in page if id(line) in edges and _PAGE_NUMBER.fullmatch(line.text)}
