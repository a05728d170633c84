"""Invisible characters that carry a position from a Markdown source through rendering into HTML.

They are private-use letters to Markdown, so they never change what the text around them means, provided that
they stand next to a letter and not inside syntax that is not shown (an address, a fence line, a list number).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

MARK_START, MARK_END, PAGE_START, PAGE_END = "\ue000", "\ue001", "\ue002", "\ue003"
HIT_START, HIT_END = "\ue004", "\ue005"
_SENTINELS = re.compile("[\ue000-\ue005]")
_FENCED = re.compile(r"^ {0,3}(`{3,}|~{3,})[^\n]*(?P<body>\n.*?)(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.S | re.M)
_HIDDEN = re.compile(
    r"^ {0,3}(?:`{3,}|~{3,})[^\n]*$"  # fence line
    r"|^ {0,3}\[[^\]\n]+\]:[^\n]*$"  # link definition
    r"|^[ \t>]*(?:[-*+][ \t]+)*\d{1,9}[.)](?=[ \t])"  # list number
    r"|\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)",  # link address, one pair of parentheses inside allowed
    re.M,
)
_ATOMIC = re.compile(r"&#?\w{1,32};|<[A-Za-z][\w+.-]*:[^<>\s]*>|<[^<>\s@]+@[^<>\s]+>")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownRange:
    """The part [first, last) of characters `range` that a reader sees, from a letter or digit to another."""

    range: tuple[int, int]
    first: int
    last: int


def without_sentinels(text: str) -> str:
    """`text` with each sentinel replaced by a space: offsets stay true."""
    return _SENTINELS.sub(" ", text)


def shown_ranges(text: str, ranges: Iterable[tuple[int, int]]) -> list[ShownRange]:
    """Those of `ranges`, which are in order, that a reader sees, without what overlaps the one before."""
    fenced = [match.span("body") for match in _FENCED.finditer(text)]
    return list(_apart(text, ranges, fenced))


def _apart(text: str, ranges: Iterable[tuple[int, int]], fenced: Sequence[tuple[int, int]]) -> Iterator[ShownRange]:
    done = 0
    for start, end in ranges:
        first, last = _first_shown(text, start, end, fenced), _last_shown(text, start, end, fenced)
        if first is not None and last is not None and done <= first < last:
            yield ShownRange(range=(start, end), first=first, last=last)
            done = last


def place(
    text: str,
    start: int,
    end: int,
    pages: Sequence[tuple[int, int]] = (),
    hits: Sequence[tuple[int, int]] = (),
) -> str:
    """`text` with sentinels around the letters and digits of [start, end) and of `hits`, and before each of `pages`.

    Where the range shows no letter, only the others are placed.
    """
    text, end = without_sentinels(text), min(end, len(text))
    fenced = [match.span("body") for match in _FENCED.finditer(text)]
    inserts: list[tuple[int, int, str]] = []
    for number, position in pages:
        if (first := _first_shown(text, position, len(text), fenced)) is not None:
            inserts.append((first, 1, f"{PAGE_START}{number}{PAGE_END}"))
    first, last = _first_shown(text, start, end, fenced), _last_shown(text, start, end, fenced)
    if first is not None and last is not None:
        inserts += [(first, 2, MARK_START), (last, 0, MARK_END)]
    for hit in _apart(text, hits, fenced):
        inserts += [(hit.first, 3, HIT_START), (hit.last, -1, HIT_END)]
    parts, done = [], 0
    for position, _, sentinel in sorted(inserts):
        parts += [text[done:position], sentinel]
        done = position
    return "".join([*parts, text[done:]])


def _first_shown(text: str, start: int, end: int, fenced: Sequence[tuple[int, int]]) -> int | None:
    position = start
    while position < end:
        if not text[position].isalnum():
            position += 1
        elif hidden := _span_around(_HIDDEN, text, position, fenced):
            position = hidden[1]
        else:
            atomic = _span_around(_ATOMIC, text, position, fenced)
            return atomic[0] if atomic else position
    return None


def _last_shown(text: str, start: int, end: int, fenced: Sequence[tuple[int, int]]) -> int | None:
    position = end - 1
    while position >= start:
        if not text[position].isalnum():
            position -= 1
        elif hidden := _span_around(_HIDDEN, text, position, fenced):
            position = hidden[0] - 1
        else:
            atomic = _span_around(_ATOMIC, text, position, fenced)
            return atomic[1] if atomic else position + 1
    return None


def _span_around(
    pattern: re.Pattern[str], text: str, position: int, fenced: Sequence[tuple[int, int]]
) -> tuple[int, int] | None:
    """The match of `pattern` that contains `position`, on its line; a fence shows all as it stands."""
    if any(begin <= position < close for begin, close in fenced):
        return None
    line_start = text.rfind("\n", 0, position) + 1
    line_end = text.find("\n", position)
    line = text[line_start : line_end if line_end >= 0 else len(text)]
    for match in pattern.finditer(line):
        if match.start() <= position - line_start < match.end():
            return line_start + match.start(), line_start + match.end()
    return None
