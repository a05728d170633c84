"""Reads the units of an act in one pass over its markers."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ingestion.text.acts.statutes.acceptance import ActReader
from ingestion.text.acts.statutes.labels import UnitLevel, citation
from ingestion.text.acts.statutes.markers import MAX_TITLE, Marker, markers
from ingestion.text.acts.statutes.quotes import Quoted
from ingestion.text.markdown.inline import plain_inline

_HEADING = re.compile(r"^[ \t#*_]*(?:spis treści|spis rozdziałów|treść ustawy)[ \t*_:]*$", re.I | re.M)
_LEADERS = re.compile(r"(?:\.{4}|…{2}|(?:\. ){4}|\t)[ \t.…]*\d{1,4}[ \t]*\Z")
_LONGEST_ENTRY = 300


def outside_contents(text: str, found: Iterable[Marker]) -> Iterator[Marker]:
    """The markers that do not stand in a table of contents.

    Such a table goes from its heading to where its first entry comes again; a line that ends with leaders and a page
    number is an entry wherever it stands.
    """
    heading = _HEADING.search(text)
    all_found = list(found)
    begin, end = _extent(all_found, heading.end()) if heading else (0, 0)
    for marker in all_found:
        if not begin <= marker.start < end and not (marker.begins_line and _has_leaders(text, marker.start)):
            yield marker


def _extent(found: list[Marker], begin: int) -> tuple[int, int]:
    entries = [one for one in found if one.start >= begin and one.begins_line and one.level <= UnitLevel.PARAGRAPH]
    if not entries:
        return begin, begin
    first, *others = entries
    again = (one.start for one in others if (one.level, one.label) == (first.level, first.label))
    return begin, next(again, begin)


def _has_leaders(text: str, start: int) -> bool:
    line, _, _ = text[start : start + _LONGEST_ENTRY].lstrip("\n").partition("\n")
    return _LEADERS.search(line) is not None


_MARKUP = re.compile(r"^[ \t#>*_]+", re.M)
_LONGEST_HEADING = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class StatuteUnit:
    """A unit whose marker starts at `start`; it reaches to the next unit that is no part of it.

    `chain` are the labels from the article, or the paragraph where it is the widest unit, down to this unit; for a
    division ("Rozdział 1") it is empty. `divisions` are the headings above, outermost first, its own included.
    """

    start: int
    level: UnitLevel
    chain: tuple[tuple[UnitLevel, str], ...] = ()
    divisions: tuple[str, ...] = ()

    @property
    def citation(self) -> str:
        """ "art. 5 ust. 2 pkt 3"; "" for a division."""
        return citation(self.chain)

    @property
    def is_widest(self) -> bool:
        """Whether it is an article, or a paragraph that stands in none."""
        return len(self.chain) == 1 and self.chain[0][0] is self.level


def read_units(text: str) -> list[StatuteUnit]:
    """The units of `text` in order; [] where it is no act.

    Quoted units of other acts and entries of a table of contents are left out. Units are known by their place in a
    sequence, so that they are found in text without line breaks too.
    """
    quoted = Quoted(text)
    reading = ActReader(text)
    for marker in outside_contents(text, (one for one in markers(text) if one.start not in quoted)):
        reading.consider(marker)
    return _with_divisions(
        text, [StatuteUnit(start=one.start, level=one.level, chain=one.chain) for one in reading.accepted]
    )


def _with_divisions(text: str, units: Sequence[StatuteUnit]) -> list[StatuteUnit]:
    placed: list[StatuteUnit] = []
    above: list[tuple[UnitLevel, str]] = []
    ends = [*(unit.start for unit in units[1:]), len(text)][: len(units)]
    for unit, end in zip(units, ends, strict=True):
        if unit.level < UnitLevel.ARTICLE:
            above = [(level, heading) for level, heading in above if level < unit.level]
            above.append((unit.level, _heading(text[unit.start : end], alone=unit.level is UnitLevel.ANNEX)))
        placed.append(replace(unit, divisions=tuple(heading for _, heading in above)))
    return placed


def _heading(text: str, *, alone: bool) -> str:
    """All that stands before the next unit; the first line where that is more than a title, or the line is `alone`."""
    title = text if len(text) <= MAX_TITLE and not alone else text[:MAX_TITLE].strip().partition("\n")[0]
    return plain_inline(_MARKUP.sub("", title))[:_LONGEST_HEADING].rstrip()
