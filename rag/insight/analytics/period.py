"""The last hours, days or weeks, cut as the clock and the calendar of the place cut them."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Literal

from django.utils import timezone
from django.utils.translation import gettext as _

from knowledgetree.errors import KnowledgeTreeError

Unit = Literal["hour", "day", "week"]
_UNITS: dict[str, Unit] = {"h": "hour", "d": "day", "w": "week"}
_MOST: dict[Unit, int] = {"hour": 168, "day": 366, "week": 104}


class InvalidPeriod(KnowledgeTreeError):
    code = "invalid_period"


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """`starts` of its buckets, in order, in UTC: local hours of the night when clocks go back would be two in one.

    The last bucket is the running one and ends at `end`.
    """

    name: str
    unit: Unit
    starts: tuple[datetime, ...]
    end: datetime

    @property
    def start(self) -> datetime:
        return self.starts[0]


def period_called(name: str, *, now: datetime | None = None) -> Period:
    """`24h`, `30d`, `12w`: as many whole hours, days or ISO weeks as that, the running one among them.

    Raises InvalidPeriod.
    """
    found = re.fullmatch(r"([1-9]\d{0,3})([hdw])", name.strip().lower())
    unit = _UNITS[found[2]] if found else "day"
    number = int(found[1]) if found else 0
    if not 0 < number <= _MOST[unit]:
        raise InvalidPeriod(
            _("There is no period “%(name)s”.") % {"name": name},
            remedy=_("Write a number with h, d or w: 24h (up to 168), 30d (up to 366), 12w (up to 104)."),
        )
    now = now or timezone.now()
    return Period(name=f"{number}{name.strip()[-1].lower()}", unit=unit, starts=_starts(unit, number, now), end=now)


def _starts(unit: Unit, number: int, now: datetime) -> tuple[datetime, ...]:
    if unit == "hour":
        clock = timezone.localtime(now)  # not every place is whole hours away from UTC
        last = now.astimezone(UTC) - timedelta(
            minutes=clock.minute, seconds=clock.second, microseconds=clock.microsecond
        )
        return tuple(last - timedelta(hours=back) for back in reversed(range(number)))
    today = timezone.localdate(now)
    days, last_day = (1, today) if unit == "day" else (7, today - timedelta(days=today.weekday()))
    place = timezone.get_current_timezone()
    midnights = (last_day - timedelta(days=days * back) for back in reversed(range(number)))
    return tuple(datetime.combine(day, time(), tzinfo=place).astimezone(UTC) for day in midnights)
