"""Words cut at the end of a line."""

import re
from collections.abc import Iterable, Set

from ingestion.reading.dictionary import is_polish_word

_WORD = re.compile(r"\w+(?:-\w+)*")
_LAST_WORD = re.compile(r"[\w-]+\Z")
_FIRST_WORD = re.compile(r"\A[\w-]+")
# First parts of Polish compounds that the dictionary also has without a hyphen, in another meaning or rarely:
# "polsko-angielski", "społeczno-gospodarczy".
_FIRST_PART = re.compile(
    r"(?:społeczno|gospodarczo|finansowo|rzeczowo|naukowo|prawno|polsko|południowo|północno|kulturalno|oświatowo"
    r"|opiekuńczo|administracyjno|techniczno|historyczno)",
    re.I,
)
# First parts that are no words: "e-faktura", "pół-automat".
_KEEPS_HYPHEN = re.compile(r"(?:e|i|m|x|nie|pół|anty|ex|eks|vice|wice|mini|online|offline)", re.I)
_SYLLABLES = 3
"""Letters: shorter halves of a cut word are words by chance ("do-", "-my")."""


def vocabulary(texts: Iterable[str]) -> frozenset[str]:
    """The words of a document in lower case, those with a hyphen whole."""
    return frozenset(word.lower() for text in texts for word in _WORD.findall(text))


def join_hyphenated(left: str, right: str, known: Set[str]) -> str:
    """`left`, which ends with a hyphen, and `right`, which goes on with the word.

    The document decides, if it has the word elsewhere with or without its hyphen; then the Polish rule (the next line
    repeats a hyphen that stays); then the dictionary: a compound is one whose parts are words and whose whole is none.
    """
    stem = left[:-1]
    before, after = _LAST_WORD.search(stem), _FIRST_WORD.match(right)
    if not before or not after:
        return left + right.lstrip("-")
    one, other = before[0], after[0]
    if other.startswith("-"):
        return left + right[1:]
    if f"{one}{other}".lower() in known:
        return stem + right
    return left + right if f"{one}-{other}".lower() in known or _is_compound(one, other) else stem + right


def _is_compound(one: str, other: str) -> bool:
    part, rest = one.rsplit("-", 1)[-1], other.split("-", 1)[0]
    if not other[0].islower() or not part[-1:].islower() or _FIRST_PART.fullmatch(part):
        return True
    if is_polish_word(part + rest):
        return False
    both_long = min(len(part), len(rest)) >= _SYLLABLES
    keeps = _KEEPS_HYPHEN.fullmatch(part) is not None
    return keeps or (both_long and is_polish_word(rest) and (is_polish_word(part) or _is_first_part(part)))


def _is_first_part(part: str) -> bool:
    """ "społeczno" and "polsko" are no words, but the adjectives they come from are."""
    return part.endswith("o") and any(is_polish_word(part[:-1] + ending) for ending in "yi")
