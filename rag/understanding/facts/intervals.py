"""Intervals in a text: "do 10 000 zł", "10 001–50 000 zł", "co najmniej 10 lat", "powyżej 3 do 6 miesięcy"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf

from ingestion.text.analyser import analyser
from ingestion.text.names.name_words import name_words
from ingestion.text.numerals import read_digits
from rag.understanding.facts.fact import Dimension, Fact
from rag.understanding.facts.quantities import find_quantities

_S = "[ \u00a0]"
# What stands before a bound. "Nie przekracza" and "nie więcej niż" are looked for before what they deny.
_BEFORE = {
    "from": rf"od|(?:co{_S})?najmniej|minimum|min\.|nie{_S}(?:mniej|krócej|niż(?:ej|sz\w+)){_S}niż|≥|>=|from|at least",
    "to": rf"do|(?:co{_S})?najwyżej|maksymalnie|maks\.|max\.?|nie{_S}(?:więcej|dłużej|wyż(?:ej|sz\w+)){_S}niż"
    rf"|nie{_S}przekracza\w*|≤|<=|up to|at most",
    "above": r"powyżej|ponad|przekracza\w*|przewyższa\w*"
    rf"|(?:więcej|dłuż(?:ej|sz\w+)|wyż(?:ej|sz\w+)|starsz\w+){_S}niż|>",
    "below": rf"poniżej|(?:mniej|krócej|krótsz\w+|niż(?:ej|sz\w+)|młodsz\w+){_S}niż|<|under|below",
}
_BOUNDS = {
    bound: re.compile(rf"(?:(?<!\w)(?:{words})){_S}*(?:kwoty{_S}|wartości{_S}|wieku{_S})?\Z", re.IGNORECASE)
    for bound, words in _BEFORE.items()
}
_AND_MORE = re.compile(
    rf"(?:{_S}[^\W\d]+)?{_S}*(?:\+|i{_S}więcej|lub{_S}więcej|i{_S}(?:powyżej|ponad)|(?:i{_S})?wzwyż|or more)", re.I
)
_AND_LESS = re.compile(rf"(?:{_S}[^\W\d]+)?{_S}*(?:(?:i|lub){_S}mniej|(?:i|lub){_S}poniżej|or less)", re.I)
_TO = re.compile(rf"{_S}*(?:[-–—]|do|a|to|i{_S}nie{_S}więcej{_S}niż|ale{_S}(?:poniżej|do)){_S}*", re.IGNORECASE)
_BETWEEN = re.compile(rf"(?:między|pomiędzy|between){_S}*\Z", re.IGNORECASE)
_DASH = re.compile(r"\s*[-–—]\s*")
_HOURS_OF = {"hours": 1.0, "working_days": 24.0 * 7 / 5, "months": 365.25 * 24 / 12}
_ANYBODY = frozenset(("człowiek", "osoba"))
_MONEY_FROM = 100.0  # so much without a unit, "20 tys.", may be an amount of money


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """Values from `low` to `high` in the base unit of `dimension`, without the ends that are `open`.

    Characters [start, end) say so; `unit` is the noun that a `count` counts, "" where it has none.
    """

    dimension: Dimension
    low: float = -inf
    high: float = inf
    low_open: bool = False
    high_open: bool = False
    unit: str = ""
    start: int
    end: int

    def holds(self, value: float) -> bool:
        """Whether `value`, in the base unit of the dimension, lies inside."""
        above = self.low < value if self.low_open else self.low <= value
        return above and (value < self.high if self.high_open else value <= self.high)


def find_intervals(text: str) -> list[Interval]:
    """In order of place. `text` is a cell, a list item or a sentence; a value that has no bound word is no interval."""
    facts = [fact for fact in find_quantities(text, analyser().tokens(text)) if isinstance(fact.value[0], float)]
    return list(_intervals(text, sorted(facts, key=lambda fact: fact.start)))


def value_for(interval: Interval, given: Fact) -> float | None:
    """What `given` is in the unit of `interval`, None where the two measure different things."""
    value = given.value[0]
    if not isinstance(value, float):
        return None
    if given.dimension == interval.dimension:
        return value if interval.dimension != "count" or not _differ(given.unit, interval.unit) else None
    if given.dimension in _HOURS_OF and interval.dimension in _HOURS_OF:
        return value * _HOURS_OF[given.dimension] / _HOURS_OF[interval.dimension]
    bare = given.dimension == "count" and value >= _MONEY_FROM and interval.dimension == "PLN"
    return value if bare else None


def _intervals(text: str, facts: Sequence[Fact]) -> Iterator[Interval]:
    taken = 0
    for place, fact in enumerate(facts):
        if fact.start < taken:
            continue
        following = facts[place + 1] if place + 1 < len(facts) else None
        interval = (following and _between(text, fact, following)) or _bounded(text, fact)
        if interval:
            taken = interval.end
            yield interval


def _between(text: str, fact: Fact, following: Fact) -> Interval | None:
    joint = text[fact.end : following.start]
    bound = _bound(text, fact.start)
    if fact.dimension not in (following.dimension, "count") or not _TO.fullmatch(joint):
        return None
    if bound not in ("from", "above") and not _DASH.fullmatch(joint) and not _BETWEEN.search(text[: fact.start]):
        return None
    return Interval(
        dimension=following.dimension, low=_lower(fact, following), high=_number(following), low_open=bound == "above",
        unit=following.unit or fact.unit, start=fact.start, end=following.end,
    )  # fmt: skip


def _bounded(text: str, fact: Fact) -> Interval | None:
    value, bound = _number(fact), _bound(text, fact.start)
    if _AND_MORE.match(text, fact.end):
        bound = "from"
    elif _AND_LESS.match(text, fact.end):
        bound = "to"
    if not bound:
        return None
    lower = bound in ("from", "above")
    return Interval(
        dimension=fact.dimension, low=value if lower else -inf, high=inf if lower else value,
        low_open=bound == "above", high_open=bound == "below", unit=fact.unit, start=fact.start, end=fact.end,
    )  # fmt: skip


def _bound(text: str, start: int) -> str:
    before = text[max(0, start - 40) : start]
    return next((bound for bound, words in _BOUNDS.items() if words.search(before)), "")


def _number(fact: Fact) -> float:
    return float(fact.value[0] or 0.0)


def _lower(fact: Fact, following: Fact) -> float:
    """The first value in the unit of the second where it has none of its own: "między 5 a 10 kg"."""
    if fact.dimension == following.dimension:
        return _number(fact)
    written = following.written.split()[0]
    return _number(fact) * _number(following) / (read_digits(written) or 1.0) if written.isdigit() else _number(fact)


def _differ(one: str, other: str) -> bool:
    """Whether they name other things; "50 osób" may be 50 users or pupils."""
    if not (one and other) or one == other:
        return False
    return _ANYBODY.isdisjoint((one, other)) or not (_is_somebody(one) and _is_somebody(other))


def _is_somebody(noun: str) -> bool:
    """Whether it is a lemma of people, or of men in its grammar alone: "użytkownik", not "pies"."""
    tags = [tag for _, tag, _ in name_words().readings(noun) if tag.startswith("subst")]
    return noun in _ANYBODY or (bool(tags) and all("m1" in tag.split(":")[3] for tag in tags))
