"""Capitalised names in Polish text, by rules: persons, bodies, places. One key joins the inflections of a name."""

import re
from collections.abc import Iterator

from ingestion.text.name_words import WORD, name_key, name_words
from ingestion.text.named import Named
from ingestion.text.sentences import ends_with_abbreviation

_UPPER = "A-ZĄĆĘŁŃÓŚŹŻÄÖÜÉÁÇČŠŽ"
_CAPITALISED = rf"[{_UPPER}][^\W_]*(?:[-–'’][^\W_]+)*"
_LINK = r"nad|pod|im\.|ds\.|do spraw|de|von|van|da|del|der|of|the|du|la|i|oraz"
_NAME = re.compile(rf"(?<![^\W])(?<![\w][-–/.@]){_CAPITALISED}(?:[ \u00a0](?:(?:{_LINK})[ \u00a0])?{_CAPITALISED})*")
_AND = re.compile(r"[ \u00a0](?:i|oraz)[ \u00a0]")
# What may have an "and" in its name; other names on both sides of one are two.
_BODIES = frozenset(
    "ministerstwo minister urząd komisja izba wydział departament dyrekcja inspekcja rada sąd biuro instytut zakład "
    "fundusz agencja kodeks centrum inspektorat uniwersytet akademia szkoła stowarzyszenie fundacja".split()
)
_ROMAN = re.compile(r"[IVXLCDM]+")
_BEFORE_A_SENTENCE = frozenset(".!?:;…|#*-–—•>")
_MAX_WORDS = 7
_MAX_ACRONYM = 6


def find_names(text: str) -> list[Named]:
    """In order, without overlaps. Of a word that begins a sentence alone only what no common word is."""
    return [name for match in _NAME.finditer(text) for name in _names(text, match)]


def _names(text: str, match: re.Match[str]) -> Iterator[Named]:
    start = match.start()
    first = _begins_a_sentence(text, start)
    for part in _parts(match.group()):
        place = text.index(part, start)
        name, offset = _trimmed(part, first=first)
        if name and _is_name(name, first=first and offset == 0):
            begin = place + offset
            yield Named(key=name_key(name), name=name, kind="name", start=begin, end=begin + len(name))
        start, first = place + len(part), False


def _parts(written: str) -> list[str]:
    head = WORD.match(written)
    if head and name_words().key(head.group()) in _BODIES:
        return [written]
    return _AND.split(written)


def _trimmed(name: str, *, first: bool) -> tuple[str, int]:
    """`name` without what only a capital made part of it, and how many characters were taken from its start."""
    words = name_words()
    offset = 0
    while match := WORD.match(name, offset):
        word = match.group()
        following = WORD.search(name, match.end())
        common = first and following and words.is_given_name(following.group()) and not words.is_given_name(word)
        wrong = first and not words.may_begin_a_name(word) and not word.isupper()
        if not (words.is_before_names(word) or common or wrong):
            break
        if not following:
            return "", 0
        offset, first = following.start(), False
    return name[offset:], offset


def _is_name(name: str, *, first: bool) -> bool:
    written = WORD.findall(name)
    if len(written) > _MAX_WORDS:
        return False
    if len(written) == 1:
        return _is_name_alone(written[0], first=first)
    if all(word.isupper() and len(word) > 1 for word in written):  # a heading in capitals: they say nothing there
        return len(written) <= 3 and name_words().is_given_name(written[0])
    return True


def _is_name_alone(word: str, *, first: bool) -> bool:
    if len(word) < 2 or _ROMAN.fullmatch(word):
        return False
    if word.isupper():
        return len(word) <= _MAX_ACRONYM and not name_words().is_common(word)
    return len(word) > 2 and (not first or (name_words().is_proper(word) and not name_words().is_common(word)))


def _begins_a_sentence(text: str, start: int) -> bool:
    before = text[max(0, start - 30) : start].rstrip(" \u00a0\t_\"„”«»'’([")
    if not before or before[-1] == "\n":
        return True
    return before[-1] in _BEFORE_A_SENTENCE and not ends_with_abbreviation(before)
