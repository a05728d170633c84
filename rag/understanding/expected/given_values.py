"""The value that a question gives, by which a row or a rule is chosen: "20 tys. zł", "12 lat", "po 3 latach"."""

import re
from dataclasses import replace

from ingestion.text.analyser import analyser
from rag.understanding.expected.values import NUMBER
from rag.understanding.facts.fact import Fact
from rag.understanding.facts.quantities import find_quantities

# How people type and say numbers where a document would not.
_SPOKEN = (
    (re.compile(r"(?<=\d)[ \u00a0]?k(?=\b)", re.IGNORECASE), " tys."),
    (re.compile(r"(?<=\d)[ \u00a0](?:tys(?:i[ąa]k\w*|i)?|tyś|tysiac\w*|koła|kola)\b\.?", re.IGNORECASE), " tys."),
    (re.compile(r"\b(?:stówk?a|stówkę|stówę|stowa|stowe)\b", re.IGNORECASE), "100 zł"),
    (re.compile(r"(?<=[\d.])[ \u00a0]?(?:zl|złociszy|zlotych|złotych|pln)\b", re.IGNORECASE), " zł"),
    (re.compile(r"(?<=\d)[ \u00a0]?(?:godzin[ay]?|godz|h)\b\.?", re.IGNORECASE), " godzin"),
    (re.compile(r"(?<=\d)[ \u00a0](?:miesiac\w*|miesiec\w*|mies|mc)\b\.?", re.IGNORECASE), " miesięcy"),
    (re.compile(r"(?<=\d)[ \u00a0]?(?:gb|giga|gigabajt\w*)\b", re.IGNORECASE), " GB"),
    (re.compile(r"(?<=\d)[ \u00a0]?(?:mb|mega|megabajt\w*)\b", re.IGNORECASE), " MB"),
)
_CLOCK = re.compile(
    r"\b(?:o|od|do|godz\.)[ \u00a0](?P<hour>[012]?\d)(?:[:.](?P<minute>[0-5]\d))?"
    r"(?!\d|[.,:]\d|[ \u00a0]?(?:%|zł|dni|dzie|lat|rok|godz|min|mies|tyg|tys|mln|os[oó]b|proc|euro|[kMG]B))",
    re.IGNORECASE,
)
_ABOVE = re.compile(
    r"\b(?:powy[zż]ej|ponad|przekracza\w*|(?:wi[eę]cej|d[lł]u[zż]ej|wy[zż]ej) ni[zż])\s+\Z", re.IGNORECASE
)
_BELOW = re.compile(r"\b(?:poni[zż]ej|(?:mniej|kr[oó]cej|ni[zż]ej) ni[zż])\s+\Z", re.IGNORECASE)
_NEXT = 0.01  # a grosz, and less than any table tells apart of other things


def values_given(question: str) -> tuple[Fact, ...]:
    """In order; "ile dni" and "na dzień" give none. Places are not those of the question as typed.

    "O 7, a o 16 z powrotem" gives the nine hours between; "powyżej 50 000 zł" the first amount above.
    """
    plain = question
    for spoken, written in _SPOKEN:
        plain = spoken.sub(written, plain)
    clocks = list(_CLOCK.finditer(plain))
    facts = [
        _as_bounded(fact, plain[: fact.start])
        for fact in find_quantities(plain, analyser().tokens(plain))
        if fact.dimension != "clock" and NUMBER.match(fact.written)
    ]
    others = [fact for fact in facts if not any(clock.start() <= fact.start < clock.end() for clock in clocks)]
    return (*others, *_between(plain, clocks))


def _as_bounded(fact: Fact, before: str) -> Fact:
    value = fact.value[0]
    if not isinstance(value, float):
        return fact
    step = _NEXT if _ABOVE.search(before) else -_NEXT if _BELOW.search(before) else 0.0
    return replace(fact, value=(value + step,)) if step else fact


def _between(plain: str, clocks: list[re.Match[str]]) -> tuple[Fact, ...]:
    if len(clocks) != 2:
        return ()
    first, second = (int(clock["hour"]) + int(clock["minute"] or 0) / 60 for clock in clocks)
    start, end = clocks[0].start(), clocks[1].end()
    hours = (second - first) % 24
    written = plain[start:end]
    return (Fact(kind="number", dimension="hours", value=(hours,), written=written, start=start, end=end),)
