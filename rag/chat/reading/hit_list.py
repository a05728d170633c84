"""What was found inside a document, as a reader sees it: hits under their headings, the one that is shown."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.text import Truncator

from rag.chat.reading.finding import Range, TextHits, find
from rag.chat.reading.windows import TextWindow
from rag.selectors.texts import ShownText

LISTED = 200
_AROUND = 45  # characters shown before and after a hit
_LONGEST_HEADING = 60
_SIGNS = re.compile(r"(?m)(?:^[ \t>]*-(?=\s)|(?<![^\s|]):?-{3,}:?|[\s#*_`|>\\•])+")
"""A hyphen is a sign of Markdown as the bullet of a line and in rules only; anywhere else it may be a minus."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextHit:
    """Number `number`, counted from 1, with the words around it; on `page` where the format has pages."""

    number: int
    before: str
    words: str
    after: str
    page: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class HitGroup:
    heading: str
    hits: tuple[TextHit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HitList:
    """`current` is the hit that the reader went to, 0 where there is none. `groups` list the first `LISTED`."""

    finding: TextHits
    groups: tuple[HitGroup, ...]
    current: int
    length: int

    @property
    def total(self) -> int:
        return len(self.finding.hits)

    @property
    def place(self) -> Range | None:
        """Characters [start, end) of the current hit."""
        return self.finding.hits[self.current - 1] if self.current else None

    @property
    def previous(self) -> int:
        return (self.current or 1) - 1 or self.total

    @property
    def following(self) -> int:
        return self.current % self.total + 1 if self.total else 0

    @property
    def listed(self) -> int:
        return sum(len(group.hits) for group in self.groups)

    @property
    def is_cut(self) -> bool:
        return self.finding.searched < self.length

    def in_window(self, shown: TextWindow) -> tuple[int, list[Range]]:
        """The number of the first hit in the window, and the places of all in it, counted from its beginning."""
        inside = [
            (number, (start - shown.begin, end - shown.begin))
            for number, (start, end) in enumerate(self.finding.hits, start=1)
            if shown.begin <= start and end <= shown.end
        ]
        return (inside[0][0] if inside else 1), [place for _, place in inside]


def found_in(text: ShownText, query: str, *, current: int) -> HitList:
    finding = find(text.text, query)
    return HitList(
        finding=finding,
        groups=tuple(_groups(text, finding.hits[:LISTED])),
        current=min(current, len(finding.hits)),
        length=len(text.text),
    )


def _groups(text: ShownText, hits: Sequence[Range]) -> list[HitGroup]:
    if not hits:
        return []
    chunks = text.headings()
    starts = [start for start, _ in chunks]

    def heading(numbered: tuple[int, Range]) -> str:
        index = bisect_right(starts, numbered[1][0]) - 1
        path = chunks[index][1] if index >= 0 else ()
        # Covered before it is cut: half a number is not known for one.
        return " › ".join(_shortened(part) for part in path)

    return [
        HitGroup(heading=path, hits=tuple(_hit(text, number, place) for number, place in together))
        for path, together in groupby(enumerate(hits, start=1), key=heading)
    ]


def _shortened(heading: str) -> str:
    return Truncator(heading).chars(_LONGEST_HEADING)


def _hit(shown: ShownText, number: int, place: Range) -> TextHit:
    start, end = place
    text = shown.text
    before, after = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
    if start > _AROUND:
        before = "…" + before.partition(" ")[2]
    if end + _AROUND < len(text):
        after = after.rpartition(" ")[0] + "…"
    pages = shown.page_starts
    return TextHit(
        number=number,
        before=_plain(before),
        words=_plain(text[start:end]),
        after=_plain(after),
        page=bisect_right(pages, start) if pages else None,
    )


def _plain(text: str) -> str:
    """Without the signs of Markdown, on one line; spaces at the ends stay, because other words stand there."""
    return _SIGNS.sub(" ", text)
