"""Months and days of the week as Polish, English and German texts name them, and the dates that they write."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

MONTHS = tuple(
    "styczeń luty marzec kwiecień maj czerwiec lipiec sierpień wrzesień październik listopad grudzień".split()
)
MONTHS_OF_A_DAY = tuple(
    "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia".split()
)
"""As they stand after the number of a day: "12 marca"."""

ENGLISH_MONTHS = tuple("january february march april may june july august september october november december".split())
GERMAN_MONTHS = tuple("januar februar märz april mai juni juli august september oktober november dezember".split())
ROMAN_MONTHS = tuple("I II III IV V VI VII VIII IX X XI XII".split())
"""As in "12 III 2024"."""

MONTH_FORMS = (
    "stycze[nń]|styczni(?:a|u|em)", "lut(?:y|ego|emu|ym)", "marz(?:ec|ca)|marc(?:a|u|em|owi)",
    "kwie(?:cień|tni(?:a|u|em))",
    "maj(?:a|u|em|owi)?", "czerw(?:iec|c(?:a|u|em|owi))", "lip(?:iec|c(?:a|u|em|owi))", "sierp(?:ień|ni(?:a|u|em))",
    "wrze(?:sień|śni(?:a|u|em))", "październik(?:a|u|iem|owi)?", "listopad(?:a|zie|em|owi)?",
    "grud(?:zień|ni(?:a|u|em))",
)  # fmt: skip
"""Regular expressions of each Polish month in every case, and "styczen" typed without its accent."""

MONTH_STEMS = (
    "stycz|lut[yeo]|marz|marc|kwie|maj|czerw|lip|sierp|wrze|paźd|listop|grud|uary|april|may|june|july|august|ember|ober"
)
"""A regular expression that finds something in every text that names a month, and little else."""

WEEKDAYS = tuple("poniedziałek wtorek środa czwartek piątek sobota niedziela".split())
WEEKDAY_STEMS = "poniedział|wtor[ek]|śro?d[ay]|czwart(?:ek|k)|piąt(?:ek|k)|sobot|niedziel"
"""A regular expression of how the days of the week begin in any case."""

_S = "[ \u00a0]"
_MONTH = "|".join(f"(?P<m{n}>{form}|{ENGLISH_MONTHS[n - 1]})" for n, form in enumerate(MONTH_FORMS, start=1))
_STEMS = re.compile(MONTH_STEMS, re.IGNORECASE)  # asked first: most sentences name no month
_YEAR = r"(?P<year>1\d{3}|20\d{2})(?![\d,.]*\d)"
_WRITTEN = re.compile(rf"\b(?:(?P<day>\d{{1,2}})\.?{_S})?(?:{_MONTH})\b(?:,?{_S}(?:roku{_S})?{_YEAR})?", re.IGNORECASE)
_DAY_AFTER = re.compile(rf"\b(?:{_MONTH}){_S}(?P<day>\d{{1,2}}),{_S}{_YEAR}", re.IGNORECASE)
_POINTS = re.compile(r"\b(?P<day>\d{1,2})[./-](?P<month>\d{1,2})[./-](?P<year>\d{4})(?:\b|(?=r\b))")
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


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenDate:
    """Characters [start, end) of a text name a day, a month or a year; None for what they do not say."""

    year: int | None
    month: int | None
    day: int | None
    start: int
    end: int

    @property
    def whole(self) -> date | None:
        """The day, where year, month and day are said and there is such a day."""
        try:
            return date(self.year or 0, self.month or 0, self.day or 0)
        except ValueError:
            return None


def find_written_dates(text: str) -> list[WrittenDate]:
    """In every notation ("12 marca 2024 r.", "12.03.2024", "2024-03-12", "w marcu 2024", "2024 r."), in order of the
    ways to write them, without overlaps. A month alone is a date too.
    """
    found: list[WrittenDate] = []
    for one in _candidates(text):
        if all(one.end <= other.start or other.end <= one.start for other in found):
            found.append(one)
    return found


def _candidates(text: str) -> Iterator[WrittenDate]:
    named = (_DAY_AFTER, _WRITTEN) if _STEMS.search(text) else ()
    if not (named or any(character.isdigit() for character in text)):
        return
    for pattern in (_ISO, _POINTS, _ROMANS, *named):
        for match in pattern.finditer(text):
            if (month := _month(match)) and (found := _dated(match, month)):
                yield found
    for match in _DAY_OF_MONTH.finditer(text):
        start, end = match.span("day")
        yield WrittenDate(year=None, month=None, day=int(match.group("day")), start=start, end=end)
    for match in _YEAR_ALONE.finditer(text):
        group = "a" if match.group("a") else "b"
        start, end = match.span(group)
        yield WrittenDate(year=int(match.group(group)), month=None, day=None, start=start, end=end)


def _month(match: re.Match[str]) -> int:
    named = match.groupdict()
    if roman := named.get("roman"):
        return ROMAN_MONTHS.index(roman) + 1 if roman in ROMAN_MONTHS else 0
    if number := named.get("month"):
        return int(number)
    return next((n for n in range(1, 13) if named.get(f"m{n}")), 0)


def _dated(match: re.Match[str], month: int) -> WrittenDate | None:
    day, year = match.group("day"), match.group("year")
    if not (1 <= month <= 12 and 1 <= int(day or 1) <= 31):
        return None
    if not (day or year) and match.group().lower() == "may":
        return None
    start, end = match.span()
    return WrittenDate(
        year=int(year) if year else None, month=month, day=int(day) if day else None, start=start, end=end
    )
