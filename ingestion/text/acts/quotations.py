"""Quotations of an amending act: the new wording is another act's text, and no instruction."""

import re

_OPENING = re.compile(r"[„\"“](?=\S)")
# The end of a quoted provision: a mark, perhaps a stop, and then the next part, or the end.
_CLOSING = re.compile(
    r"[”\"“][.;,]*(?=\s*(?:$|\d{1,3}[a-z]{0,2}\)|[a-z]{1,2}\)|[-–—]\s|Art\.|§|Rozdział|oraz\s|i\s|a\s|zastępuje|dodaje|otrzym|"
    r"użyt|w\s|skreśla|\s[A-ZŁŚŻ]))"
)
_LONGEST = 60_000  # characters; one that is longer was never closed
_AFTER_WORDING = re.compile(r"(?:brzmieniu|brzmienie)\s*:?\s*$")


def without_quotations(text: str) -> str:
    """The text as long as it is, with blanks for what stands in quotation marks."""
    pieces, place = [], 0
    while opening := _OPENING.search(text, place):
        end = quotation_end(text, opening.start())
        pieces.append(text[place : opening.start()])
        pieces.append(" " * (end - opening.start()))
        place = end
    return "".join([*pieces, text[place:]])


def quotation_end(text: str, start: int) -> int:
    """Where the quotation that opens at `start` ends, its mark included. A new wording may have quotations of its own,
    so it ends where the order goes on; words end at once.
    """
    wording = _AFTER_WORDING.search(text[max(0, start - 40) : start])
    if text[start] == "„":
        return _balanced(text, start)
    if not wording:
        found = re.compile(r"[”\"“]").search(text, start + 1)
        return found.end() if found else start + 1
    found = _CLOSING.search(text, start + 1)
    return found.end() if found else len(text)


def _balanced(text: str, start: int) -> int:
    depth = 0
    for mark in re.compile(r"[„”“]").finditer(text, start, start + _LONGEST):
        depth += 1 if mark.group() == "„" else -1
        if depth == 0:
            return mark.end()
    closing = _CLOSING.search(text, start + 1)  # one within it was never closed
    return closing.end() if closing else start + 1
