"""What an amending act orders: "w art. 5 ust. 2 otrzymuje brzmienie", "uchyla się § 7", "po art. 4 dodaje się 4a"."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ingestion.text.acts.quotations import without_quotations
from ingestion.text.acts.references import ActReference, act_references

Place = Mapping[str, str]
ChangeKind = Literal["worded", "repealed", "added", "words"]

_LEVELS = ("art.", "§", "ust.", "pkt", "lit.")
_ONE = r"\d+[a-z]{0,2}(?:\{\w+\}|\^\w+)?"
_LIST = rf"{_ONE}(?:(?:\s?[–-]\s?|,\s|\s(?:i|oraz|lub)\s){_ONE})*"
_LETTERS = r"[a-z]{1,2}\)?(?:(?:\s?[–-]\s?|,\s|\s(?:i|oraz)\s)[a-z]{1,2}\b\)?)*(?![.\w])"
_UNIT = re.compile(
    rf"(?P<level>\bart\.|§§?|\bust\.?|\bpkt\.?|\blit\.)\s?(?P<numbers>(?<=lit\.\s){_LETTERS}|(?<=lit\.){_LETTERS}|{_LIST})"
)
_VERB = re.compile(
    r"(?P<worded>otrzymuj[eą]\s+(?:nowe\s+)?brzmienie)"
    r"|(?P<gone>(?:art\.|§|ust\.|pkt)\s?[\w{}]+\s+(?:uchyla|skreśla)\s+się(?=[;,.]|\s*$))"
    r"|(?P<repealed>(?:uchyla|skreśla)\s+się(?!\s+(?:wyraz|użyt|słow|liczb|zdani|powołan|odnośnik|średnik|dwukrop)))"
    r"|(?P<added>dodaje\s+się(?!\s+(?:wyraz|słow|zdani|przecin|średnik|tabel|odnośnik)))"
    r"|(?P<words>wyraz\w*\s.{0,200}?zastępuje\s+się|(?:skreśla|dodaje|uchyla)\s+się\s+(?:wyraz|słow)|zastępuje\s+się)",
    re.DOTALL,
)
_CHANGES: Mapping[str, ChangeKind] = {
    "worded": "worded", "gone": "repealed", "repealed": "repealed", "added": "added", "words": "words",
}  # fmt: skip
_MARKER = re.compile(
    r"(?:(?<=[;:,”]\s)|(?<=\s\s))(?:(?P<point>\d{1,3}[a-z]{0,2})\)|(?P<letter>[a-z]{1,2})\)|(?P<indent>[-–—])(?=\s(?:w\s|po\s|uchyl|skreśl|dod|"
    r"ust|pkt|lit|§|art|wyraz|zdanie|tiret)))\s"
)
_ARTICLE = re.compile(r"(?:(?<=[.;:”]\s)|(?<=\n)|(?<=\s\s)|^)(?:Art\.|§)\s?\d+[a-z]*(?:\.\s|\s(?=\d+\.))")
_AFTER = re.compile(rf"\bpo\s+(?:(?:art\.|§|ust\.|pkt|lit\.)\s?{_ONE}\s*|lit\.\s?[a-z]{{1,2}}\s*)+")
_RAISED = re.compile(r"\{(\w+)\}")
_SCOPE = re.compile(
    r"wprowadza\s+się\s+następując|otrzymuj|uchyla\s+się|skreśla\s+się|dodaje\s+się|zastępuje\s+się", re.I
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """Characters [start, end) of a text change `unit` ("art. 5 ust. 2") of the act."""

    act: ActReference
    unit: str
    change: ChangeKind
    start: int
    end: int


def instructions_of(text: str) -> Iterator[Instruction]:
    """In order. What stands in quotations is another act's text and changes nothing; where it is not clear which act or
    which unit is meant there is no instruction.
    """
    bare = without_quotations(text)
    for act, start, end in _scopes(bare):
        yield from _within(bare, act, start, end)


def _scopes(text: str) -> Iterator[tuple[ActReference, int, int]]:
    """From the words "w ustawie z dnia …" to where the next act, or the next article of this one, begins."""
    articles = [match.start() for match in _ARTICLE.finditer(text)]
    acts = [act for act in act_references(text) if _is_changed(text, act)]
    for number, act in enumerate(acts):
        following = acts[number + 1].start if number + 1 < len(acts) else len(text)
        beyond = next((place for place in articles if place > act.end), len(text))
        yield act, act.end, min(following, beyond)


def _is_changed(text: str, act: ActReference) -> bool:
    """Whether it begins an article or a point: "Art. 1. W ustawie z dnia …"; elsewhere it is only mentioned."""
    before = text[max(0, act.start - 40) : act.start]
    begins = re.search(r"(?:(?:Art\.|§)\s?\d+[a-z]*\.?\s*(?:1\.\s*)?|\d+[a-z]?\)\s*|\d+\.\s*)[Ww]\s+$", before)
    return bool(begins) and bool(_SCOPE.search(text[act.end : act.end + 2500]))


def _within(text: str, act: ActReference, start: int, end: int) -> Iterator[Instruction]:
    """The instructions of each marked part: `stack` has what each level of markers says of the place."""
    marks = list(_MARKER.finditer(text, start, end))
    stack: list[tuple[int, Place]] = []
    edges = [start, *(mark.end() for mark in marks)]
    ends = [*(mark.start() for mark in marks), end]
    for mark, begin, finish in zip([None, *marks], edges, ends, strict=True):
        depth = 0 if mark is None else 1 if mark["point"] else 2 if mark["letter"] else 3
        stack = [entry for entry in stack if entry[0] < depth]
        inherited: Place = stack[-1][1] if stack else {}
        part = text[begin:finish]
        places, change, length = _read(part, inherited)
        stack.append((depth, places[-1]))
        for place in places:
            if change and ("art." in place or "§" in place):
                yield Instruction(act=act, unit=_written(place), change=change, start=begin, end=begin + length)


def _read(part: str, inherited: Place) -> tuple[Sequence[Place], ChangeKind | None, int]:
    """The units that a part speaks of, what becomes of them, and how many characters say so."""
    verb = _VERB.search(part)
    change: ChangeKind | None = _CHANGES.get(str(verb.lastgroup)) if verb else None
    if verb is None:
        return _places(part, inherited), None, len(part)
    if verb.lastgroup not in ("repealed", "added"):
        return _places(part[: verb.end()], inherited), change, verb.end()
    # What is repealed or added stands behind the verb; before it, where.
    end = _end_of_units(part, verb.end())
    where = _places(part[: verb.start()], inherited, anchored=change == "added")[-1]
    behind = part[verb.end() : end]
    return _places(behind, where), change if _UNIT.search(behind) else None, end


def _places(text: str, inherited: Place, *, anchored: bool = False) -> list[Place]:
    """One for each unit that is named beside another of its level: "w art. 5 ust. 1 i w art. 7". Where something is
    added (`anchored`), "po ust. 2 pkt 3" names a neighbour, whose last step is no part of the place.
    """
    place, found = dict(inherited), list[Place]()
    anchor = _AFTER.search(text) if anchored else None
    named = set[str]()
    units = list(_UNIT.finditer(text))
    if anchor and (before := [unit for unit in units if unit.start() < anchor.end()]):
        units.remove(before[-1])
    for unit in units:
        level = _level(unit)
        if level in named:
            found.append(dict(place))
            named = {other for other in named if _LEVELS.index(other) < _LEVELS.index(level)}
        named.add(level)
        for narrower in _LEVELS[_LEVELS.index(level) :]:
            place.pop(narrower, None)
        place[level] = _RAISED.sub(r"^\1", " ".join(unit["numbers"].replace(")", "").split()))
    return [*found, place]


def _level(unit: re.Match[str]) -> str:
    level = unit["level"].replace("§§", "§")
    return {"ust": "ust.", "pkt.": "pkt", "lit": "lit."}.get(level, level)


def _end_of_units(part: str, begin: int) -> int:
    """Where the units that stand behind a verb end: at the first other word."""
    place = begin
    while found := re.compile(r"\s*(?:w\s+|oraz\s+|i\s+|a\s+także\s+|,\s*)?").match(part, place):
        unit = _UNIT.match(part, found.end())
        if not unit:
            return place
        place = unit.end()
    return place


def _written(place: Place) -> str:
    return " ".join(f"{level} {place[level]}" for level in _LEVELS if level in place)
