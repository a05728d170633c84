"""Tables of contents, whose lines look like units and are none."""

import re
from collections.abc import Iterable, Iterator

from ingestion.chunking.statutes.labels import UnitLevel
from ingestion.chunking.statutes.markers import Marker

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
