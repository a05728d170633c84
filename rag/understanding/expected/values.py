"""When, how long and how much, in a text: dates, hours, durations, amounts, percentages, counts."""

import re
from collections.abc import Iterator
from functools import lru_cache

from ingestion.text.analyser import analyser
from ingestion.text.calendar import WEEKDAY_STEMS
from ingestion.text.numerals import NUMERAL_WORDS
from rag.understanding.facts.dates import find_dates
from rag.understanding.facts.fact import Dimension, Fact
from rag.understanding.facts.quantities import find_quantities

Place = tuple[int, int]

NUMBER = re.compile(rf"\d+(?:[ \u00a0]\d{{3}})*(?:[.,:]\d+)?|\b(?:{NUMERAL_WORDS})\b", re.IGNORECASE)
"""Anything that says how many."""

DURATIONS: frozenset[Dimension] = frozenset(("hours", "months", "working_days"))
_MONEY: frozenset[Dimension] = frozenset(("PLN", "EUR", "USD"))
_FREE = re.compile(
    r"\b(?:bezpłatn\w+|nieodpłatn\w+|za darmo|free of charge|gratis|zwolnion\w+ z opłat|grzywn\w+)"
    r"|(?:\d|\btysi\w+|\bmilion\w*)[ \u00a0](?:\w+[ \u00a0])?(?:funt|frank|koron|mare?k|rubl|jen|dukat)\w*",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\b(?:1\d{3}|20\d\d)\b(?![ \u00a0]?(?:zł|%|m\b|km|kg|osób|tys|mln|sztuk|\d))")
_CENTURY = re.compile(r"\b[XVI]+(?:[ \u00a0]i[ \u00a0][XVI]+)?[ \u00a0]w(?:\.|iek\w*)|\b\w+(?:ego|ym)[ \u00a0]wieku\b")
_MEANWHILE = re.compile(r"\b(?:gdy|zanim|podczas|w trakcie|w czasie|po tym,? jak)\b", re.IGNORECASE)
_LASTING = re.compile(
    r"\b\w+(?:letni|miesięczn|tygodniow|dniow|godzinn|minutow)\w{0,3}\b"
    r"|\b(?:kilk\w+|parę|paru)[ \u00a0](?:lat\w*|miesi\w+|tygod\w+|dni\w*|godzin\w*|minut\w*)",
    re.IGNORECASE,
)
_SO_MANY = re.compile(
    r"\b(?:\w+krotn\w+|kilk\w+|parę|jedyn\w+|oba|obie|obaj|żad\w+|(?:pierwszy|drugi|trzeci) raz)\b", re.IGNORECASE
)
_OF_A_SERIES = re.compile(
    r"(?:§|\b(?:art|ust|pkt|poz|lit|nr|pok|tel|wew|zał|str|rozdz)\b\.?|\b(?:numer|pok[oó]j|wersj|rozdział|załącznik)\w*)"
    r"[ \u00a0]*\Z",
    re.IGNORECASE,
)
_BEFORE = 20  # characters that such a word takes
_DAY = re.compile(
    rf"\b(?:{WEEKDAY_STEMS})\w*|\b(?:następn|kolejn|ostatni|pierwsz|najbliższ|sam)\w* (?:\w+ )?(?:d(?:zień|ni\w*)"
    r"|termin\w*|czas\w*|miesiąc\w*|rok\w*|tygod\w+)|\bdni\w? następn\w+|\b(?:w dniu|w chwili|w momencie"
    r"|do dnia|z dniem|z chwilą|do końca|na koniec|z końcem|do momentu|do czasu|niezwłocznie po) \w+",
    re.IGNORECASE,
)
_DAY_OF_MONTH = re.compile(
    r"\b\d{1,2}\.?[ \u00a0](?:dni[au]|dzień)\b|\b\d{1,2}\.?(?:[ \u00a0]\w+)?[ \u00a0]miesiąca\b"
    r"|\b(?:pierwsz|ostatni|przedostatni)\w*[ \u00a0](?:robocz\w+[ \u00a0])?d(?:zień|ni[au])\b",
    re.IGNORECASE,
)
_SOON = re.compile(
    r"\b(?:codzien\w*|co (?:tydzień|miesiąc|rok|dzień)|rocznie|miesięcznie|natychmiast\w*|niezwłocznie|bezterminow\w*"
    r"|od ręki|na bieżąco|bezzwłocznie)",
    re.IGNORECASE,
)
_HOURS = re.compile(
    r"\b(?:od|do|o|godz\.?)[ \u00a0](?:godz\.?[ \u00a0])?\d{1,2}(?:[:.]\d\d(?:\s*[-–—]\s*\d{1,2}[:.]\d\d)?)?"
    r"(?!\d|[.,]\d|[ \u00a0]?(?:zł|%|dni|lat|osób|mies|\d))|\b\d{1,2}[:.]\d\d\b(?:\s*[-–—]\s*\d{1,2}[:.]\d\d\b)?"
    r"|\bcałą dobę\b|\bcałodobow\w+|\b24/7\b|\bpołudni\w+|\bpółnoc\w*"
)


@lru_cache(maxsize=2048)
def facts_of(text: str) -> tuple[Fact, ...]:
    """Dates, then quantities that are no part of them."""
    dates = find_dates(text)
    tokens = analyser().tokens(text)
    others = [
        fact for fact in find_quantities(text, tokens) if all(fact.end <= d.start or d.end <= fact.start for d in dates)
    ]
    return (*dates, *others)


def find_days(text: str) -> Iterator[Place]:
    """Dates, and days of the week and of an event."""
    yield from _of(text, frozenset(("date",)))
    for form in (_DAY, _YEAR, _CENTURY):
        yield from (match.span() for match in form.finditer(text))


def find_days_of_month(text: str) -> Iterator[Place]:
    """Days by their number, "do 10. dnia miesiąca", "ostatniego dnia": no "następny miesiąc"."""
    yield from _of(text, frozenset(("date",)))
    yield from (match.span() for match in _DAY_OF_MONTH.finditer(text))


def find_times(text: str) -> Iterator[Place]:
    """When: days, hours, and how long until."""
    yield from find_days(text)
    yield from _of(text, DURATIONS | {"clock"})
    for form in (_SOON, _MEANWHILE):
        yield from (match.span() for match in form.finditer(text))


def find_hours(text: str) -> Iterator[Place]:
    return (match.span() for match in _HOURS.finditer(text))


def find_durations(text: str) -> Iterator[Place]:
    """How long and how often; "w 30. dniu" too."""
    yield from _of(text, DURATIONS)
    yield from ((fact.start, fact.end) for fact in facts_of(text) if fact.value[:2] == (None, None))
    for form in (_SOON, _LASTING):
        yield from (match.span() for match in form.finditer(text))


def find_amounts(text: str) -> Iterator[Place]:
    yield from _of(text, _MONEY)
    yield from (match.span() for match in _FREE.finditer(text))


def find_measured(text: str, dimension: Dimension) -> Iterator[Place]:
    """Quantities of one dimension, in whichever of its units."""
    return _of(text, frozenset((dimension,)))


def find_percentages(text: str) -> Iterator[Place]:
    return _of(text, frozenset(("%",)))


def find_numbers(text: str, *, counted: str) -> Iterator[Place]:
    """Quantities of any kind; where the question counts things, `counted`, no money, times or shares."""
    for fact in facts_of(text):
        measures = fact.dimension == "count" or (not counted and fact.dimension not in ("date", "clock"))
        if measures and not _tells_apart(text, fact):
            yield fact.start, fact.end
    yield from (match.span() for match in _SO_MANY.finditer(text))


def _tells_apart(text: str, fact: Fact) -> bool:
    """Whether it is no quantity, but one of a series: "2." before a paragraph, "art. 15", "pok. 12"."""
    begins_line = not text[: fact.start].rpartition("\n")[2].strip(" \t(>-")
    is_marker = begins_line and fact.written.isdigit() and text[fact.end : fact.end + 1] in (".", ")")
    return is_marker or bool(_OF_A_SERIES.search(text[max(0, fact.start - _BEFORE) : fact.start]))


def _of(text: str, dimensions: frozenset[Dimension]) -> Iterator[Place]:
    return ((fact.start, fact.end) for fact in facts_of(text) if fact.dimension in dimensions)
