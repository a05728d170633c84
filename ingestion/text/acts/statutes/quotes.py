"""Units that an amending act quotes: „Art. 5. 1. ...” belongs to another act."""

import re
from bisect import bisect_right
from collections.abc import Sequence

_OPENS_UNIT = re.compile(
    r"(?:„|(?<![^\s(])[\"“])\s?"
    r"(?=(?:\**(?:Art\.|§|\d{1,4}[a-z]{0,3}\\?[.)]|[a-z]{1,2}\)|(?:Rozdział|Dział|Oddział|Załącznik)\s|[–—-]\s)))"
)
_QUOTE = re.compile(r"[„”\"“]")
_LONGEST = 100_000
"""Characters; a quotation that is longer has lost its end."""


class Quoted:
    """Knows which characters of a text stand in a quotation that opens with a unit."""

    def __init__(self, text: str) -> None:
        self._ranges = quoted_ranges(text)
        self._starts = [start for start, _ in self._ranges]

    def __contains__(self, position: int) -> bool:
        index = bisect_right(self._starts, position) - 1
        return index >= 0 and position < self._ranges[index][1]


def quoted_ranges(text: str) -> Sequence[tuple[int, int]]:
    """Characters [start, end) of quoted units, in order and apart, quotations within them included."""
    opens_unit = {found.start() for found in _OPENS_UNIT.finditer(text)}
    ranges: list[tuple[int, int]] = []
    unclosed: list[int] = []
    for quote in _QUOTE.finditer(text):
        if _opens(text, quote):
            unclosed.append(quote.start())
        elif unclosed and (start := unclosed.pop()) in opens_unit and quote.end() - start <= _LONGEST:
            while ranges and ranges[-1][0] > start:  # quotations within this one
                ranges.pop()
            ranges.append((start, quote.end()))
    return ranges


def _opens(text: str, quote: re.Match[str]) -> bool:
    if quote.group() in "„”":
        return quote.group() == "„"
    return quote.start() == 0 or text[quote.start() - 1] in " \t\n(["
