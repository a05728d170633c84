"""What a capitalised word may be in the name of a person, by SGJP's given names and surnames."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from ingestion.text.lookalikes import LIKE_LETTERS
from ingestion.text.memory import Memory
from ingestion.text.names.name_words import name_words

_PARTS = re.compile(r"[ ]?[-–‑][ ]?")
_NOT_LETTERS = re.compile(r"[^a-ząćęłńóśźżA-ZĄĆĘŁŃÓŚŹŻ'’ ]")
_CAMEL = re.compile(r"[a-zà-ž][A-ZĄĆĘŁŃÓŚŹŻ]")
_ADJECTIVES = re.compile(r"(?:[sc]k|dzk)(?:i|iego|iemu|im|a|iej|ą|ich|imi)$")
_BODIES = ("nazwa_firmy", "nazwa_instytucji", "nazwa_organizacji")
_LIVING = re.compile(r"^subst:.*:(?:f|m1|m2)\b")
# Given names that people in Poland bear and SGJP lacks.
_FOREIGN = frozenset(
    "Alex Amelie Chloe Ethan Jessica Mia Nathan Nicole Nikita Noah Olivier Sarah Vanessa Xavier Zoe".split()
)
_TITLES = frozenset("Pan Pana Panu Panem Panie Panowie Panów Panom Panami Panach".split())  # Pan is a god of Greece too
_SHORTEST_MISREAD = 4
_PLAIN = dict(zip("ąćęłńóśźżüöë", "acelnoszzuoe", strict=True))
_CONFUSED = tuple(pair.split(">") for pair in "vv>w nn>m rn>m lc>k cl>d ii>u uu>w f>t w>u z>s n>r".split())


class PersonWord(NamedTuple):
    """What a word may be; a word may be several."""

    is_given: bool = False
    is_surname: bool = False
    is_common: bool = False
    """Also a word of the language, or a body: "Róża", "Muzyk"."""
    is_ordinary: bool = False
    """A common word that is no plant, animal or person: "pola", "marek"."""
    is_adjective: bool = False
    """Of those that end as surnames do: "Kowalski" is a smith's, "Niski" low."""
    is_place: bool = False
    is_unknown: bool = False
    """In no dictionary, as many surnames are."""

    @property
    def is_no_name(self) -> bool:
        return not (self.is_given or self.is_surname)

    @property
    def may_be_surname(self) -> bool:
        return self.is_surname or self.is_unknown

    @property
    def is_surely_surname(self) -> bool:
        return self.is_surname and not (self.is_common or self.is_place)


def _repairs(word: str) -> Iterator[str]:
    """What a misread or misspelt `word` may have been, one slip at a time: "Dąwid", "Na7an", "Marilca"."""
    if _NOT_LETTERS.search(word):
        yield word.translate(LIKE_LETTERS).capitalize()
        yield word.replace("7", "t").translate(LIKE_LETTERS).capitalize()
    for place, letter in enumerate(word):
        if plain := _PLAIN.get(letter):
            yield word[:place] + plain + word[place + 1 :]
    for wrong, right in _CONFUSED:
        if wrong in word:
            yield word.replace(wrong, right, 1).capitalize()


class PersonWords:
    """Reads words once."""

    def __init__(self) -> None:
        self._readings = name_words().readings
        self.known: Memory[PersonWord] = Memory(self._read, size=100_000)

    def _read(self, written: str) -> PersonWord:
        parts = _PARTS.split(written)
        if len(parts) > 1:
            read = [self.known[part] for part in parts if part]
            return PersonWord(
                is_given=all(one.is_given for one in read),
                is_surname=any(one.is_surname for one in read)
                and all(one.is_surname or one.is_unknown for one in read),
                is_common=not any(one.is_surname and not one.is_common for one in read),
                is_unknown=all(one.is_unknown for one in read),
            )
        word = written[:1] + written[1:].lower() if written.isupper() else written
        if _CAMEL.search(word):
            return PersonWord()
        found = self._of(word)
        if not found.is_unknown or len(word) < _SHORTEST_MISREAD:
            return found
        repaired = (self._of(other) for other in _repairs(word))
        return next((one._replace(is_common=False, is_ordinary=False) for one in repaired if one.is_given), found)

    def _of(self, word: str) -> PersonWord:
        readings = self._readings(word)
        if not readings:
            return PersonWord(is_given=word in _FOREIGN, is_unknown=word not in _FOREIGN)
        if word in _TITLES:
            return PersonWord(is_common=True, is_ordinary=True)
        labels = {label for _, _, names in readings for label in names}
        lower = [tag for base, tag, _ in self._readings(word.lower()) if base[:1].islower()]
        adjective = [tag for tag in lower if tag.startswith("adj") and _ADJECTIVES.search(word)]
        common = [tag for tag in lower if tag not in adjective]
        return PersonWord(
            is_given=any("imię" in names and ":pl:" not in tag for _, tag, names in readings),
            is_surname="nazwisko" in labels,
            is_common=bool(common) or not labels.isdisjoint(_BODIES),
            is_ordinary=not all(map(_LIVING.match, common)),
            is_adjective=bool(adjective),
            is_place="nazwa_geograficzna" in labels,
        )


@lru_cache(maxsize=1)
def _words() -> PersonWords:
    return PersonWords()


def person_word(word: str) -> PersonWord:
    """What `word`, as it is written with its capital, may be in a name."""
    return _words().known[word]
