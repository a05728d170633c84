"""What the words of a Polish text are: part of speech, number, case and gender, from SGJP through Morfeusz 2."""

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

import morfeusz2

from ingestion.text.diacritics import restorations

_NUMBERS = frozenset({"sg", "pl"})
_CASES = frozenset({"nom", "gen", "dat", "acc", "inst", "loc", "voc"})
_GENDERS = frozenset({"m1", "m2", "m3", "f", "n"})
_CACHED = 50_000
_MOST_RESTORED = 300  # spellings that one word typed without diacritics may cost
_analysing = threading.Lock()  # Morfeusz keeps its state in the object


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One way to understand a form: `part` as in the SGJP tag set ("subst", "adj", "fin", "prep" …)."""

    lemma: str
    part: str
    tag: str
    numbers: frozenset[str] = frozenset()
    cases: frozenset[str] = frozenset()
    genders: frozenset[str] = frozenset()

    def agrees(self, other: "Reading") -> bool:
        """Whether an adjective and its noun may be these two."""
        return bool(self.numbers & other.numbers and self.cases & other.cases and self.genders & other.genders)


@lru_cache(maxsize=2)
def _morfeusz(*, generates: bool) -> Any:
    return morfeusz2.Morfeusz(analyse=not generates, generate=generates)


@lru_cache(maxsize=_CACHED)
def readings(form: str) -> tuple[Reading, ...]:
    """Every reading of a written word; of one that SGJP takes apart ("otrzymałem") those of its first part.

    None of what SGJP does not have; but a lower-case word typed without diacritics is read with them.
    """
    return tuple(_read(form)) or next((found for typed in _restored(form) if (found := tuple(_read(typed)))), ())


@lru_cache(maxsize=_CACHED)
def in_nominative(form: str, reading: Reading) -> str:
    """`form`, understood as `reading`, in the nominative of its number; `form` where it is there or has none."""
    if "nom" in reading.cases or not reading.cases:
        return form
    with _analysing:
        rows = _morfeusz(generates=True).generate(reading.lemma) if reading.lemma.isalpha() else []
    wanted = _reading(reading.lemma, reading.tag)
    for written, _lemma, tag, *_ in rows:
        made = _reading(reading.lemma, tag)
        if "nom" in made.cases and _same_but_case(made, wanted):
            return str(written)
    return form


def _same_but_case(made: Reading, wanted: Reading) -> bool:
    known = _NUMBERS | _CASES | _GENDERS
    rest = ({*made.tag.split(":")} ^ {*wanted.tag.split(":")}) - known
    same_kind = made.part == wanted.part and not any(set(part.split(".")) - known for part in rest)
    return same_kind and bool(made.numbers & wanted.numbers and made.genders & wanted.genders)


def _read(form: str) -> Iterator[Reading]:
    with _analysing:
        rows = _morfeusz(generates=False).analyse(form)
    for start, _end, (_form, lemma, tag, *_rest) in rows:
        if start == 0 and not tag.startswith("ign"):
            yield _reading(lemma.split(":")[0], tag)


def _reading(lemma: str, tag: str) -> Reading:
    features = {feature for part in tag.split(":")[1:] for feature in part.split(".")}
    return Reading(
        lemma=lemma,
        part=tag.split(":")[0],
        tag=tag,
        numbers=frozenset(features & _NUMBERS),
        cases=frozenset(features & _CASES),
        genders=frozenset(features & _GENDERS),
    )


def _restored(form: str) -> Iterator[str]:
    typed_plainly = form.isascii() and form.islower() and form.isalpha()
    return islice(restorations(form), _MOST_RESTORED) if typed_plainly else iter(())
