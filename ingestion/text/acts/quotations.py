"""Quotations of an amending act: the new wording is another act's text, and no instruction."""

import re
from collections.abc import Mapping

_OPENING = re.compile(r"[„\"“](?=\S)")
# The end of a quoted provision: a mark, perhaps a stop, and then the next part, or the end.
_CLOSING = re.compile(
    r"[”\"“][.;,]*(?=\s*(?:$|\d{1,3}[a-z]{0,2}\)|[a-z]{1,2}\)|[-–—]\s|Art\.|§|Rozdział|oraz\s|i\s|a\s|zastępuje|dodaje|otrzym|"
    r"użyt|w\s|skreśla|\s[A-ZŁŚŻ]))"
)
_LONGEST = 60_000  # characters; one that is longer was never closed
_LONGEST_UNCLOSED = 5_000
_AFTER_WORDING = re.compile(r"(?:brzmieniu|brzmienie)\s*:?\s*$")


def without_quotations(text: str) -> str:
    """The text as long as it is, with blanks for what stands in quotation marks."""
    pieces, place, pairs = [], 0, _pairs(text)
    while opening := _OPENING.search(text, place):
        end = quotation_end(text, opening.start(), pairs)
        pieces.append(text[place : opening.start()])
        pieces.append(" " * (end - opening.start()))
        place = end
    return "".join([*pieces, text[place:]])


def quotation_end(text: str, start: int, pairs: Mapping[int, int] | None = None) -> int:
    """Where the quotation that opens at `start` ends, its mark included. A new wording may have quotations of its own,
    so it ends where the order goes on; words end at once. `pairs` are those of the text, where they are known.
    """
    if text[start] == "„":
        window = text[start : start + _LONGEST]
        end = pairs.get(start) if pairs is not None else _pairs(window).get(0)
        if end is None:  # one within it was never closed
            closing = _CLOSING.search(text, start + 1, start + _LONGEST_UNCLOSED)
            return closing.end() if closing else start + 1
        return end if pairs is not None else start + end
    if not _AFTER_WORDING.search(text[max(0, start - 40) : start]):
        found = re.compile(r"[”\"“]").search(text, start + 1)
        return found.end() if found else start + 1
    found = _CLOSING.search(text, start + 1)
    return found.end() if found else len(text)


def _pairs(text: str) -> dict[int, int]:
    """Where each „ is closed, by its place. One pass, for hostile texts have nothing but marks."""
    pairs: dict[int, int] = {}
    unclosed: list[int] = []
    for mark in re.finditer(r"[„”“]", text):
        if mark.group() == "„":
            unclosed.append(mark.start())
        elif unclosed and mark.end() - (start := unclosed.pop()) <= _LONGEST:
            pairs[start] = mark.end()
    return pairs
