"""Words cut at the end of a line."""

import re
from collections.abc import Iterable, Set

_WORD = re.compile(r"\w+(?:-\w+)*")
_LAST_WORD = re.compile(r"[\w-]+\Z")
_FIRST_WORD = re.compile(r"\A[\w-]+")
# First parts of Polish compounds that keep their hyphen: "e-\nfaktura", "społeczno-\ngospodarczy".
_KEEPS_HYPHEN = re.compile(
    r"(?:e|i|m|x|nie|pół|anty|ex|vice|wice|mini|online|offline|społeczno|gospodarczo|finansowo|rzeczowo|naukowo"
    r"|prawno|polsko|południowo|północno|kulturalno|oświatowo|opiekuńczo|administracyjno|techniczno|historyczno)",
    re.I,
)


def vocabulary(texts: Iterable[str]) -> frozenset[str]:
    """The words of a document in lower case, those with a hyphen whole."""
    return frozenset(word.lower() for text in texts for word in _WORD.findall(text))


def join_hyphenated(left: str, right: str, known: Set[str]) -> str:
    """`left`, which ends with a hyphen, and `right`, which goes on with the word.

    The hyphen stays when the document has the word with it elsewhere, when the next line repeats it (the
    Polish rule), and when a part is no cut syllable: a number, an upper-case letter, the first part of a
    compound.
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
    part = one.rsplit("-", 1)[-1]
    return not other[0].islower() or not part[-1:].islower() or _KEEPS_HYPHEN.fullmatch(part) is not None
