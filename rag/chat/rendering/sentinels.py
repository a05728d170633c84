"""Invisible characters that carry a position from a Markdown source through rendering into HTML.

They are private-use letters to Markdown, so they never change what the text around them means, provided that
they stand next to a letter and not inside syntax that is not shown (an address, a fence line, a list number).
"""

import re
from bisect import bisect_right
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


class _Syntax:
    """What of a Markdown text is not shown as it stands; found once, so that asking costs no more in a long line.

    `hidden` are spans that a reader does not see, `atomic` such as no sign may be put into; `fenced` are shown whole.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._fenced = _Spans(_FENCED, text, "body")
        self._hidden = _Spans(_HIDDEN, text)
        self._atomic = _Spans(_ATOMIC, text)

    def first_shown(self, start: int, end: int) -> int | None:
        """Where in [start, end) the first letter or digit stands that a reader sees."""
        position = start
        while position < end:
            if not self._text[position].isalnum():
                position += 1
            elif hidden := self._around(self._hidden, position):
                position = hidden[1]
            else:
                atomic = self._around(self._atomic, position)
                return atomic[0] if atomic else position
        return None

    def last_shown(self, start: int, end: int) -> int | None:
        """Behind the last letter or digit in [start, end) that a reader sees."""
        position = end - 1
        while position >= start:
            if not self._text[position].isalnum():
                position -= 1
            elif hidden := self._around(self._hidden, position):
                position = hidden[0] - 1
            else:
                atomic = self._around(self._atomic, position)
                return atomic[1] if atomic else position + 1
        return None

    def apart(self, ranges: Iterable[tuple[int, int]]) -> Iterator[ShownRange]:
        done = 0
        for start, end in ranges:
            first, last = self.first_shown(start, end), self.last_shown(start, end)
            if first is not None and last is not None and done <= first < last:
                yield ShownRange(range=(start, end), first=first, last=last)
                done = last

    def _around(self, spans: "_Spans", position: int) -> tuple[int, int] | None:
        return None if self._fenced.around(position) else spans.around(position)


class _Spans:
    """Where a pattern matches; no match reaches beyond its line, but that of a fence."""

    def __init__(self, pattern: re.Pattern[str], text: str, group: str | int = 0) -> None:
        self._spans = [match.span(group) for match in pattern.finditer(text)]
        self._starts = [start for start, _ in self._spans]

    def around(self, position: int) -> tuple[int, int] | None:
        """The span that contains `position`."""
        index = bisect_right(self._starts, position) - 1
        return self._spans[index] if index >= 0 and position < self._spans[index][1] else None


def shown_ranges(text: str, ranges: Iterable[tuple[int, int]]) -> list[ShownRange]:
    """Those of `ranges`, which are in order, that a reader sees, without what overlaps the one before."""
    return list(_Syntax(text).apart(ranges))


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
    syntax = _Syntax(text)
    inserts: list[tuple[int, int, str]] = []
    for number, position in pages:
        if (first := syntax.first_shown(position, len(text))) is not None:
            inserts.append((first, 1, f"{PAGE_START}{number}{PAGE_END}"))
    first, last = syntax.first_shown(start, end), syntax.last_shown(start, end)
    if first is not None and last is not None:
        inserts += [(first, 2, MARK_START), (last, 0, MARK_END)]
    for hit in syntax.apart(hits):
        inserts += [(hit.first, 3, HIT_START), (hit.last, -1, HIT_END)]
    parts, done = [], 0
    for position, _, sentinel in sorted(inserts):
        parts += [text[done:position], sentinel]
        done = position
    return "".join([*parts, text[done:]])
