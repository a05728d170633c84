"""Dates in a text, in every notation: "12 marca 2024 r.", "12.03.2024", "2024-03-12", "w marcu 2024", "2024 r."."""

import re
from collections.abc import Iterator

from ingestion.text.calendar import ENGLISH_MONTHS, MONTH_FORMS, MONTH_STEMS, ROMAN_MONTHS
from rag.understanding.facts.fact import Fact

_S = "[ \u00a0]"
_MONTH = "|".join(f"(?P<m{n}>{form}|{ENGLISH_MONTHS[n - 1]})" for n, form in enumerate(MONTH_FORMS, start=1))
_STEMS = re.compile(MONTH_STEMS, re.IGNORECASE)  # asked first: most sentences name no month
_YEAR = r"(?P<year>1\d{3}|20\d{2})(?![\d,.]*\d)"
_WRITTEN = re.compile(rf"\b(?:(?P<day>\d{{1,2}})\.?{_S})?(?:{_MONTH})\b(?:,?{_S}(?:roku{_S})?{_YEAR})?", re.IGNORECASE)
_DAY_AFTER = re.compile(rf"\b(?:{_MONTH}){_S}(?P<day>\d{{1,2}}),{_S}{_YEAR}", re.IGNORECASE)
_POINTS = re.compile(r"\b(?P<day>\d{1,2})[./-](?P<month>\d{1,2})[./-](?P<year>\d{4})\b")
_ISO = re.compile(r"\b(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)\b")
_DAY_OF_MONTH = re.compile(
    rf"\b(?:do|przed|po|od|w){_S}(?P<day>\d{{1,2}})\.?{_S}(?:dni(?:a|u|em)|dzień)\b", re.IGNORECASE
)
_ROMANS = re.compile(rf"\b(?P<day>\d{{1,2}}){_S}(?P<roman>[IVX]{{1,4}}){_S}{_YEAR}")
_YEAR_ALONE = re.compile(
    rf"(?:\b(?:w|od|do|z|za|na|po|przed|in|since|until|rok(?:u|iem)?|lat(?:a|ach)?){_S}(?:rok(?:u|iem)?{_S})?"
    rf"|(?<=\d{{4}})[-–—]|(?<=\())(?P<a>1\d{{3}}|20\d{{2}})(?![\d,.]*\d|{_S}\d{{3}}|{_S}?(?:zł|PLN|%|tys|mln))"
    rf"|\b(?P<b>1\d{{3}}|20\d{{2}})(?={_S}(?:r\.|rok))",
    re.IGNORECASE,
)


def find_dates(text: str) -> list[Fact]:
    """In order of the ways to write them, without overlaps. A month alone is a date too."""
    found: list[Fact] = []
    for fact in _candidates(text):
        if all(fact.end <= other.start or other.end <= fact.start for other in found):
            found.append(fact)
    return found


def _candidates(text: str) -> Iterator[Fact]:
    named = (_DAY_AFTER, _WRITTEN) if _STEMS.search(text) else ()
    if not (named or any(character.isdigit() for character in text)):
        return
    for pattern in (_ISO, _POINTS, _ROMANS, *named):
        for match in pattern.finditer(text):
            if (month := _month(match)) and (fact := _dated(match, month)):
                yield fact
    for match in _DAY_OF_MONTH.finditer(text):
        yield _fact((None, None, float(match.group("day"))), match.group("day"), *match.span("day"))
    for match in _YEAR_ALONE.finditer(text):
        group = "a" if match.group("a") else "b"
        yield _fact((float(match.group(group)), None, None), match.group(group), *match.span(group))


def _month(match: re.Match[str]) -> int:
    named = match.groupdict()
    if roman := named.get("roman"):
        return ROMAN_MONTHS.index(roman) + 1 if roman in ROMAN_MONTHS else 0
    if number := named.get("month"):
        return int(number)
    return next((n for n in range(1, 13) if named.get(f"m{n}")), 0)


def _dated(match: re.Match[str], month: int) -> Fact | None:
    day, year = match.group("day"), match.group("year")
    if not (1 <= month <= 12 and 1 <= int(day or 1) <= 31):
        return None
    if not (day or year) and match.group().lower() == "may":
        return None
    return _fact(
        (float(year) if year else None, float(month), float(day) if day else None), match.group(), *match.span()
    )


def _fact(value: tuple[float | None, ...], written: str, start: int, end: int) -> Fact:
    return Fact(kind="date", dimension="date", value=value, written=written, start=start, end=end)
