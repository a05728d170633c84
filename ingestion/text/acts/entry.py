"""From when a rule holds, as acts say it: "z dniem 1 stycznia 2025 r.", "po upływie 14 dni od dnia ogłoszenia"."""

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from ingestion.text.calendar import find_written_dates
from ingestion.text.numerals import number_forms

_SIGNING = r"(?:podpisania|podjęcia|uchwalenia|wydania|przyjęcia)"
_PUBLICATION = r"(?:jej\s+|jego\s+)?(?:ogłoszenia|opublikowania|publikacji|ogłoszeniu|opublikowaniu)"
_EVENT = rf"(?:(?P<signing>{_SIGNING}|podpisaniu|podjęciu|uchwaleniu)|(?P<publication>{_PUBLICATION}))"
_DATED = re.compile(r"(?:z\s+dniem|z\s+dnia|dnia|w\s+dniu|od\s+dnia|od)\s+(?:\*\*)?(?=\d|[IVX]+\s)")
_ON = re.compile(rf"(?:z\s+dniem|z\s+datą|z\s+chwilą|w\s+dniu|od\s+dnia)\s+{_EVENT}")
_NEXT = re.compile(
    rf"(?:z\s+dniem|w\s+dniu|dnia|w\s+dzień)\s+(?:następnym|następującym|następnego|następującego)\s+po\s+dniu\s+{_EVENT}"
)
_AFTER = re.compile(
    r"po\s+upływie\s+(?:(?P<number>\d+|\w+)\s+)?(?:(?P<unit>dni|tygodni|tygodnia|miesięcy|miesiąca|lat|roku))\s+"
    rf"(?:od\s+(?:dnia|daty)\s+|licząc\s+od\s+dnia\s+)(?:jej\s+|jego\s+)?{_EVENT}"
)
_FIRST_OF_MONTH = re.compile(
    rf"(?:z\s+)?pierwsz(?:ego|ym)\s+dni(?:a|em)\s+miesiąca\s+następującego\s+po\s+miesiącu\s+"
    rf"(?:,\s*w\s+którym\s+\w+\s+)?(?:jej\s+|jego\s+)?{_EVENT}"
)
_IN_FORCE_SINCE = re.compile(r"z\s+mocą\s+(?:obowiązującą\s+)?od\s+(?:dnia\s+)?(?=\d)")
_LEAD = re.compile(r"[\s,:]*")
_EXCEPT = re.compile(r"z\s+wyjątkiem|z\s+tym\s+że|,\s+z\s+tym,|z\s+zastrzeżeniem")
_NEAR = 60  # characters that a date may take


@dataclass(frozen=True, slots=True, kw_only=True)
class ActDays:
    """The days that an act's own statements count from, where they are known."""

    signing: date | None = None
    publication: date | None = None


def entry_day(tail: str, days: ActDays) -> date | None:
    """The day that `tail`, what stands behind "wchodzi w życie", says; None where it says none, or one that is counted
    from what is not known.
    """
    own = _EXCEPT.split(tail, maxsplit=1)[0]
    if since := _IN_FORCE_SINCE.search(own):
        return written_day(own, since.end())
    lead = _LEAD.match(own)
    place = lead.end() if lead else 0
    if dated := _DATED.match(own, place):
        return written_day(own, dated.end())
    if found := _ON.match(own, place):
        return _counted_from(found, days)
    if found := _NEXT.match(own, place):
        return _later(_counted_from(found, days), 1)
    if found := _FIRST_OF_MONTH.match(own, place):
        event = _counted_from(found, days)
        return _months_later(event.replace(day=1), 1) if event else None
    if found := _AFTER.match(own, place):
        return _after(found, _counted_from(found, days))
    return None


def written_day(text: str, place: int) -> date | None:
    """The day whose date begins at `place`."""
    dates = (one for one in find_written_dates(text[place : place + _NEAR]) if one.start == 0)
    return next((one.whole for one in dates), None)


def _counted_from(found: re.Match[str], days: ActDays) -> date | None:
    return days.signing if found["signing"] else days.publication


def _after(found: re.Match[str], event: date | None) -> date | None:
    """The day after the term: that of the event does not count, and the term ends with its last day."""
    number = _number(found["number"])
    if event is None or number is None:
        return None
    unit = found["unit"]
    if unit.startswith("dni"):
        return _later(event, number + 1)
    if unit.startswith("tygod"):
        return _later(event, 7 * number + 1)
    return _later(_months_later(event, number * (1 if unit.startswith("mies") else 12)), 1)


def _number(written: str | None) -> int | None:
    if written is None:
        return 1
    if written.isdigit():
        return int(written)
    value = number_forms().get(written.lower())
    return int(value) if value else None


def _later(day: date | None, days: int) -> date | None:
    return day + timedelta(days=days) if day else None


def _months_later(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
