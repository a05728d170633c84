"""Which part of a long text one page shows."""

import re
from dataclasses import dataclass

WHOLE_UP_TO = 300_000
REACH = 40_000
_SEARCHED_FOR_CUT = 8_000
_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.M)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextWindow:
    """Characters [begin, end) of a text; `previous` and `following` are where its neighbours begin."""

    begin: int
    end: int
    length: int

    @property
    def previous(self) -> int | None:
        return max(0, self.begin - 2 * REACH) if self.begin else None

    @property
    def following(self) -> int | None:
        return self.end if self.end < self.length else None


def window(text: str, *, start: int, end: int, part: int | None = None) -> TextWindow:
    """All of `text` up to 300,000 characters, else 40,000 around [start, end) or 80,000 from `part`."""
    if len(text) <= WHOLE_UP_TO:
        return TextWindow(begin=0, end=len(text), length=len(text))
    if part is not None:
        first, last = min(part, len(text) - 1), part + 2 * REACH
    else:
        first, last = start - REACH, max(start, min(end, start + REACH)) + REACH
    begin = _cut(text, first) if first > 0 else 0
    close = max(_cut(text, last), begin + 1)
    return TextWindow(begin=begin, end=close, length=len(text))


def _cut(text: str, position: int) -> int:
    """The nearest start of a block at or before `position`; of a line, where blocks are huge."""
    if position >= len(text):
        return len(text)
    earliest = max(0, position - _SEARCHED_FOR_CUT)
    block = text.rfind("\n\n", earliest, _outside_fence(text, position))
    if block >= 0:
        return block + 2
    line = text.rfind("\n", earliest, position)
    return line + 1 if line >= 0 else position


def _outside_fence(text: str, position: int) -> int:
    """`position`, or where the fence that it lies in begins."""
    fences = [match.start() for match in _FENCE.finditer(text, 0, position)]
    return fences[-1] if len(fences) % 2 else position
