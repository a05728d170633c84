"""The nominative of a person's name, written in any case: its words agree in case and gender."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from ingestion.text.names.name_words import name_words

_WORD = re.compile(r"[^\W\d_]+(?:[’'][^\W\d_]+)?")
_CASES = ("nom", "gen", "acc", "dat", "inst", "loc", "voc")


class _Reading(NamedTuple):
    base: str
    case: str
    gender: str
    """"m" or "f"."""


@lru_cache(maxsize=20_000)
def base_name(name: str) -> str:
    """The nominative of `name`, such as "Anna Nowak" of "Anny Nowak"; as it is written where SGJP does not tell."""
    words = _WORD.findall(name)
    readings = [tuple(_readings(word)) for word in words]
    agreeing = _agreeing([one for one in readings if one])
    if not agreeing:
        return name
    case, gender = agreeing
    bases = iter(_base(word, read, case, gender) for word, read in zip(words, readings, strict=True))
    return _WORD.sub(lambda _: next(bases), name)


def _readings(word: str) -> Iterator[_Reading]:
    """The word as a given name; as a surname where it is none."""
    found = name_words().readings(word[:1] + word[1:].lower() if word.isupper() else word)
    given = [reading for reading in found if "imię" in reading[2]]
    for base, tag, _ in given or [reading for reading in found if "nazwisko" in reading[2]]:
        _, number, cases, genders, *_ = [*tag.split(":"), "", "", ""]
        if "sg" in number.split("."):
            for case, gender in product(cases.split("."), genders.split(".")):
                yield _Reading(base, case, "f" if gender == "f" else "m")


def _agreeing(words: Sequence[Sequence[_Reading]]) -> tuple[str, str] | None:
    """The case and gender that all words may have: the nominative before others, then those of the first word."""
    if not words:
        return None
    shared = set.intersection(*({(read.case, read.gender) for read in word} for word in words))
    order = [(read.case, read.gender) for read in words[0]]
    known = [one for one in shared if one[0] in _CASES]
    return min(known, key=lambda one: (_CASES.index(one[0]), order.index(one)), default=None)


def _base(word: str, readings: Sequence[_Reading], case: str, gender: str) -> str:
    base = next((one.base for one in readings if (one.case, one.gender) == (case, gender)), word)
    return base.upper() if word.isupper() and len(word) > 1 else base
