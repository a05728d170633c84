"""Numbers of units ("5", "12a", "43^5", "4–7") and their order."""

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

NUMBER = r"\d{1,4}(?:\^\{?\(?\d{1,3}\)?\}?|\(\d{1,2}\)|[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3})?[a-z]{0,3}"
"""A number as acts write it; a superscript is "^1", "(1)" or a raised digit."""

_PARTS = re.compile(r"(\d+)(?:\^(\d+))?([a-z]*)")
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_SUPERSCRIPT = re.compile(r"\^?[({]+(\d+)[)}]+|([⁰¹²³⁴⁵⁶⁷⁸⁹]+)")


class UnitLevel(IntEnum):
    """The units of an act from the widest to the narrowest. Those above ARTICLE only group."""

    ANNEX = 0
    PART = 1
    BOOK = 2
    TITLE = 3
    SECTION = 4
    CHAPTER = 5
    SUBCHAPTER = 6
    DIVISION = 7
    ARTICLE = 10
    PARAGRAPH = 11
    PASSAGE = 12
    POINT = 13
    LETTER = 14
    INDENT = 15


WORDS = {
    UnitLevel.ARTICLE: "art.",
    UnitLevel.PARAGRAPH: "§",
    UnitLevel.PASSAGE: "ust.",
    UnitLevel.POINT: "pkt",
    UnitLevel.LETTER: "lit.",
    UnitLevel.INDENT: "tiret",
}
_INDENTS = (
    "pierwsze drugie trzecie czwarte piąte szóste siódme ósme dziewiąte dziesiąte "
    "jedenaste dwunaste trzynaste czternaste piętnaste"
).split()


@dataclass(frozen=True, slots=True, order=True)
class Key:
    """Where a label stands among its siblings: 22 < 22^1 < 22^1a < 23, a < aa < b."""

    number: int
    superscript: int = 0
    letters: str = ""


def normal_label(written: str) -> str:
    """A label as it is cited: superscripts as "^1", ranges with a dash, the "l" of misread acts as 1."""
    if written == "l":
        return "1"
    raised = _SUPERSCRIPT.sub(lambda found: "^" + (found[1] or found[2].translate(_RAISED)), written)
    return re.sub(r"\s*[-–—]\s*", "–", raised.strip())


@lru_cache(maxsize=4096)
def keys(label: str) -> tuple[Key, Key]:
    """The first and the last place that a normal label takes; they differ for a range such as "4–7"."""
    first, _, last = label.partition("–")
    return _key(first), _key(last or first)


def citation(chain: tuple[tuple[UnitLevel, str], ...]) -> str:
    """ "art. 5 ust. 2 pkt 3 lit. a tiret drugie"."""
    return " ".join(f"{WORDS[level]} {_spoken(level, label)}" for level, label in chain)


def _key(label: str) -> Key:
    found = _PARTS.fullmatch(label)
    if found is None:  # a letter: its place in the alphabet, so that neighbours differ by one
        return Key(ord(label[0]) - ord("a") + 1, 0, label[1:])
    return Key(int(found[1]), int(found[2] or 0), found[3])


def _spoken(level: UnitLevel, label: str) -> str:
    if level is not UnitLevel.INDENT:
        return label
    return "–".join(_INDENTS[int(one) - 1] if int(one) <= len(_INDENTS) else one for one in label.split("–"))
