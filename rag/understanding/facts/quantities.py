"""Numbers with what they measure: durations, amounts of money, percentages, counts of things, hours of the day."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ingestion.text.numerals import multiplier_forms
from ingestion.types import Token
from rag.types import ProblemKind
from rag.understanding.facts.fact import Dimension, Fact, approximate
from rag.understanding.facts.numerals import Numeral, find_numerals


class MeasureUnit(NamedTuple):
    dimension: Dimension
    factor: float


# By lemma. A month is not thirty days and a working day is none of the calendar: those are dimensions of their own.
UNITS = {
    **dict.fromkeys(("minuta", "min", "minut", "minute"), MeasureUnit("hours", 1 / 60)),
    **dict.fromkeys(("godzina", "godz", "godzinny", "hour"), MeasureUnit("hours", 1.0)),
    **dict.fromkeys(("dzień", "doba", "dniowy", "day"), MeasureUnit("hours", 24.0)),
    **dict.fromkeys(("tydzień", "tygodniowy", "week"), MeasureUnit("hours", 168.0)),
    **dict.fromkeys(("miesiąc", "miesięczny", "mies", "month"), MeasureUnit("months", 1.0)),
    **dict.fromkeys(("kwartał",), MeasureUnit("months", 3.0)),
    **dict.fromkeys(
        ("rok", "lat", "lata", "latach", "latami", "latom", "lato", "letni", "roczny", "year"),
        MeasureUnit("months", 12.0),
    ),
    **dict.fromkeys(("złoty", "zł", "złotówka", "nowy_polski_złoty", "pln"), MeasureUnit("PLN", 1.0)),
    **dict.fromkeys(("grosz", "grosze", "gr"), MeasureUnit("PLN", 0.01)),
    **dict.fromkeys(("euro", "eur"), MeasureUnit("EUR", 1.0)),
    **dict.fromkeys(("dolar", "usd"), MeasureUnit("USD", 1.0)),
    **dict.fromkeys(("procent", "proc", "percent"), MeasureUnit("%", 1.0)),
    **dict.fromkeys(("metr", "m"), MeasureUnit("metres", 1.0)),
    **dict.fromkeys(("kilometr", "km"), MeasureUnit("metres", 1000.0)),
    **dict.fromkeys(("centymetr", "cm"), MeasureUnit("metres", 0.01)),
    **dict.fromkeys(("milimetr", "mm"), MeasureUnit("metres", 0.001)),
    **dict.fromkeys(("gram", "g"), MeasureUnit("grams", 1.0)),
    **dict.fromkeys(("kilogram", "kg"), MeasureUnit("grams", 1000.0)),
    **dict.fromkeys(("kilobajt", "kb"), MeasureUnit("bytes", 1e3)),
    **dict.fromkeys(("megabajt", "mb"), MeasureUnit("bytes", 1e6)),
    **dict.fromkeys(("gigabajt", "gb"), MeasureUnit("bytes", 1e9)),
    **dict.fromkeys(("terabajt", "tb"), MeasureUnit("bytes", 1e12)),
}
_SIGNS = {"%": MeasureUnit("%", 1.0), "€": MeasureUnit("EUR", 1.0), "$": MeasureUnit("USD", 1.0)}
_MONEY = ("PLN", "EUR", "USD")
_BETWEEN = frozenset("kolejny następny pełny ostatni pierwszy najbliższy kalendarzowy cały dalszy polski".split())
_WORKING = frozenset(("roboczy", "working", "business"))
_HEDGES = re.compile(
    r"\b(?:około|ok\.|blisko|niemal|prawie|w przybliżeniu|mniej więcej|circa|ca\.|about)\s*$", re.IGNORECASE
)
_RANGE = re.compile(r"\s*(?:[-–—]|do|lub|albo|i|oraz|to|or|and)\s*")
_CLOCK = re.compile(
    r"(?:\b[Gg]odz(?:\.|in\w{1,3})[ \u00a0])(\d{1,2})(?:[:.](\d\d))?(?!\d)|(?<![\d:])(\d{1,2}):(\d\d)(?![\d:])"
)
# A unit alone is one of it: "w ciągu miesiąca", "trwa rok". "Do dnia zapłaty", "na dzień złożenia" name a day.
_ONE = re.compile(
    r"\b(?:w\s+ciągu|w\s+terminie|przez|wynosi|trwa|po\s+upływie|najwyżej|najmniej|co|"
    r"do(?!\s+dnia\b)|na(?!\s+dzień\s+\w))\s+(?P<unit>dnia|dzień|doby|dobę|tygodnia|tydzień|miesiąca|miesiąc|kwartału|kwartał|roku|rok|"
    r"godziny|godzinę)\b(?!\s+\d)"
)  # fmt: skip
_HALF = re.compile(r"\b(?:połow[aęyą]|half)\b", re.IGNORECASE)
_HALF_YEAR = re.compile(r"\bpółrocz(?:e|a|u|em)\b")


def unit_of(token: Token) -> MeasureUnit | None:
    """By form first: the lemmatiser takes "lata" for a form of "latać"."""
    return UNITS.get(token.form) or UNITS.get(token.lemma)


def find_quantities(text: str, tokens: Sequence[Token]) -> list[Fact]:
    """`tokens` are those of `text`, which is one sentence."""
    clocks = list(_clocks(text))
    numerals = [n for n in find_numerals(text, tokens) if all(n.end <= c.start or c.end <= n.start for c in clocks)]
    return [*clocks, *_measured(text, tokens, numerals), *_single(text, tokens, numerals)]


def _clocks(text: str) -> Iterator[Fact]:
    for match in _CLOCK.finditer(text):
        hours, minutes = (match.group(1), match.group(2)) if match.group(1) else (match.group(3), match.group(4))
        yield _quantity(
            MeasureUnit("clock", 1.0), float(hours) + float(minutes or 0) / 60, match.group(), *match.span()
        )


def _measured(text: str, tokens: Sequence[Token], numerals: Sequence[Numeral]) -> list[Fact]:
    facts: list[Fact] = []
    following: tuple[Numeral, MeasureUnit, str] | None = None
    for numeral in reversed(numerals):
        unit, noun, end = _unit_after(text, tokens, numeral)
        if not unit and not noun and following and _RANGE.fullmatch(text[numeral.end : following[0].start]):
            unit, noun = following[1], following[2]
        unit = unit or MeasureUnit("count", 1.0)
        following = (numeral, unit, noun)
        facts.append(_fact(text, numeral, unit, noun, max(end, numeral.end)))
    return [
        fact for fact in reversed(facts) if fact.value != (1.0,) or fact.dimension != "count" or fact.written[0] == "1"
    ]


def _fact(text: str, numeral: Numeral, unit: MeasureUnit, noun: str, end: int) -> Fact:
    slack = numeral.slack * unit.factor
    value = numeral.value * unit.factor
    if _HEDGES.search(text[: numeral.start]):
        slack = max(slack, approximate(value))
    return _quantity(unit, value, text[numeral.start : end], numeral.start, end, slack=slack, noun=noun)


def _quantity(
    unit: MeasureUnit, value: float, written: str, start: int, end: int, *, slack: float = 0.0, noun: str = ""
) -> Fact:
    kind: ProblemKind = "amount" if unit.dimension in _MONEY else "number"
    counted = noun if unit.dimension == "count" else ""
    return Fact(
        kind=kind, dimension=unit.dimension, value=(value,), written=written.strip(), start=start, end=end,
        slack=slack, unit=counted,
    )  # fmt: skip


def _unit_after(text: str, tokens: Sequence[Token], numeral: Numeral) -> tuple[MeasureUnit | None, str, int]:
    """The unit behind a number, or the noun it counts, and where that ends."""
    if text[numeral.end :].lstrip()[:1] in _SIGNS:
        place = text.index(text[numeral.end :].lstrip()[0], numeral.end)
        return _SIGNS[text[place]], "", place + 1
    after = [token for token in tokens if numeral.end <= token.start][:3]
    previous, working = numeral.end, False
    for position, token in enumerate(after):
        if text[previous : token.start].strip(" \u00a0-."):
            break
        if unit := unit_of(token):
            near = [other.lemma for other in after[position + 1 : position + 2]]
            if unit.factor == 24.0 and (working or _WORKING.intersection(near)):
                return MeasureUnit("working_days", 1.0), "", after[position if working else position + 1].end
            return unit, "", token.end
        working = working or token.lemma in _WORKING
        if not working and token.lemma not in _BETWEEN:
            counted = not text[numeral.end : token.start].strip()  # "14. odcinek" counts nothing
            countable = position == 0 and counted and token.form.isalpha() and len(token.form) > 2
            return None, token.lemma if countable and token.form not in multiplier_forms() else "", numeral.end
        previous = token.end
    return None, "", numeral.end


def _single(text: str, tokens: Sequence[Token], numerals: Sequence[Numeral]) -> Iterator[Fact]:
    for match in _ONE.finditer(text):
        start, end = match.span("unit")
        lemma = next((token.lemma for token in tokens if token.start == start), "")
        if lemma in UNITS and all(n.end <= start - 1 or end <= n.start for n in numerals):
            unit = UNITS[lemma]
            yield _quantity(unit, unit.factor, match.group("unit"), start, end)
    for match in _HALF.finditer(text):
        yield _quantity(MeasureUnit("%", 1.0), 50.0, match.group(), *match.span())
    for match in _HALF_YEAR.finditer(text):
        yield _quantity(MeasureUnit("months", 1.0), 6.0, match.group(), *match.span())
