"""Where a piece of a JSON text may begin and end: whole objects and lists, called by the keys that lead to them."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

Span = tuple[int, int]

JSON = "application/json"
_LONGEST_KEY = 300  # a file may be one line of megabytes, which is not searched for its last brace from every quote
_OPENS = re.compile(r'(?:(?P<key>"(?:[^"\\]|\\.)*")\s*:\s*)?[\[{]\Z')


@dataclass(frozen=True, slots=True, kw_only=True)
class IndentedLine:
    """Characters [start, end) without the spaces around; there are `indent` of them before. `key` "": it names none.
    It may open an object or a list, close one, or both.
    """

    start: int
    end: int
    indent: int
    opens: bool
    closes: bool
    key: str


@dataclass(frozen=True)
class Nesting:
    """Stands in for `rag.answering.context.layout.Layout` where lines are nested by their indentation. In a text that
    is one line everything stands alone.
    """

    text: str

    def spans(self, start: int, end: int) -> list[Span]:
        """What may be read for characters [start, end), the shortest first: their own lines, those up to the end of
        what begins in them, from the beginning of what ends in them, then each object and list that holds them all and
        ends in this text. Each holds [start, end).
        """
        lines = self._touched(start, end)
        if not lines:
            return [(start, end)]
        own = min(start, lines[0].start), max(end, lines[-1].end)
        level = min(line.indent for line in lines)
        ended = own[0], self._end(own[1], level)
        whole = self._beginning(lines, level), ended[1]
        return list(dict.fromkeys([own, ended, whole, *self._enclosing(*whole, level)]))

    def headings(self, position: int) -> tuple[str, ...]:
        """The keys that lead to the character `position`, or to what begins behind it where something ends there;
        outermost first, with the one that stands there.
        """
        at = next((line for line in self._lines if line.end > position and not line.closes), None)
        if at is None:
            return ()
        own = [at] if at.opens else []
        return tuple(line.key for line in (*reversed(list(self._openers(at.start, at.indent))), *own) if line.key)

    def columns(self, position: int) -> str:
        """There are no tables."""
        return ""

    def fence(self, position: int) -> str:
        """There are no blocks of code."""
        return ""

    @cached_property
    def _lines(self) -> Sequence[IndentedLine]:
        return list(_lines(self.text))

    def _touched(self, start: int, end: int) -> Sequence[IndentedLine]:
        return [line for line in self._lines if line.start < end and start < line.end]

    def _end(self, end: int, level: int) -> int:
        """The end of what begins in the characters before `end` and is indented by `level`."""
        behind = next((line for line in self._lines if line.start >= end and line.indent <= level), None)
        return behind.end if behind and behind.closes and behind.indent == level else end

    def _beginning(self, lines: Sequence[IndentedLine], level: int) -> int:
        """The beginning of what ends in `lines` and is indented by `level`."""
        first = next(line for line in lines if line.indent == level)
        above = (line for line in reversed(self._lines) if line.start < lines[0].start and line.indent <= level)
        opener = next(above, None) if first.closes else None
        return opener.start if opener and opener.opens and opener.indent == level else lines[0].start

    def _enclosing(self, start: int, end: int, level: int) -> Iterator[Span]:
        for opener in self._openers(start, level):
            behind = (line for line in self._lines if line.start >= end and line.indent <= opener.indent)
            closer = next(behind, None)
            if closer is None:
                return
            yield opener.start, closer.end

    def _openers(self, position: int, indent: int) -> Iterator[IndentedLine]:
        """The lines before `position` that begin what it is in, the innermost first."""
        for line in reversed(self._lines):
            if line.start < position and line.indent < indent and line.opens:
                indent = line.indent
                yield line


def _lines(text: str) -> Iterator[IndentedLine]:
    """Those with characters that are seen."""
    for found in re.finditer(r"[^\n]+", text):
        line = found[0].strip()
        if not line:
            continue
        start = found.start() + found[0].index(line)
        opens = _OPENS.search(line[-_LONGEST_KEY:])
        yield IndentedLine(
            start=start,
            end=start + len(line),
            indent=start - found.start(),
            opens=bool(opens),
            closes=line.startswith(("}", "]")),
            key=json.loads(opens["key"], strict=False) if opens and opens["key"] else "",
        )
