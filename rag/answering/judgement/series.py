"""Things that a number tells apart from others of their series: form PIT-37, printer MFP-07, version 3, room 12."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, pairwise

from ingestion.text.analyser import analyser
from ingestion.text.diacritics import fold
from ingestion.text.names.name_words import name_words

Numbered = tuple[str, str]  # what a series is called, and the number of one of it

_CODE = re.compile(r"(?<![\w-])(?P<series>[^\W\d_]+)[-\u2010-\u2013]?(?P<number>\d{1,4})(?![\w-]|[.,/]\d)")
_LONGEST_NUMBER = 3  # digits of one beside its noun; longer ones are years and amounts
# A number of these is an amount, not one of a series: "staż 12 lat" is answered by "staż 10 lat".
_UNITS = frozenset(
    "dzień doba noc tydzień miesiąc kwartał rok lato godzina godz minuta min sekunda złoty zł pln eur euro tysiąc tys "
    "mln procent osoba raz sztuka szt kilometr km metr m kilogram kg litr strona etat".split()
)


def is_of_others(question: str, text: str) -> bool:
    """Whether `text` has things of a series that the question asks about, none of which is the one that it names."""
    return _differ(chain(_codes(question), _numbered_words(question)), _codes(text)) or _differ(
        _numbered_nouns(question), _numbered_nouns(text)
    )


def _differ(asked: Iterable[Numbered], told: Iterable[Numbered]) -> bool:
    known = _members(told)
    return any(series in known and known[series].isdisjoint(numbers) for series, numbers in _members(asked).items())


def _members(numbered: Iterable[Numbered]) -> Mapping[str, set[str]]:
    """The numbers of each series."""
    found: dict[str, set[str]] = defaultdict(set)
    for series, number in numbered:
        found[series].add(number.lstrip("0"))
    return found


def _codes(text: str) -> Iterator[Numbered]:
    return ((fold(code["series"]).lower(), code["number"]) for code in _CODE.finditer(text))


def _numbered_words(question: str) -> Iterator[Numbered]:
    """As people type codes: "kl 17"."""
    pairs = pairwise(analyser().words(question))
    return ((fold(form), number) for (form, _), (number, _) in pairs if _is_number(number))


def _numbered_nouns(text: str) -> Iterator[Numbered]:
    """By their lemmas."""
    words = analyser().words(text)
    for (form, lemma), (number, _), (_, following) in zip(words, words[1:], [*words[2:], ("", "")], strict=False):
        if following not in _UNITS and _is_number(number) and name_words().is_noun(form):
            yield lemma, number


def _is_number(word: str) -> bool:
    return word.isdigit() and len(word) <= _LONGEST_NUMBER
