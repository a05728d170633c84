from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from rag.insight.analytics import InvalidPeriod, period_called
from tests.rag.insight.analytics.exchanges import warsaw

SATURDAY = warsaw("2026-11-21 16:20")


def local(name: str, now: datetime) -> list[str]:
    return [f"{timezone.localtime(start):%m-%d %H:%M}" for start in period_called(name, now=now).starts]


def test_days_are_those_of_the_calendar_and_the_last_is_today() -> None:
    assert local("3d", SATURDAY) == ["11-19 00:00", "11-20 00:00", "11-21 00:00"]


def test_weeks_begin_on_monday() -> None:
    assert local("2w", SATURDAY) == ["11-09 00:00", "11-16 00:00"]


def test_hours_are_whole_and_the_last_is_the_running_one() -> None:
    assert local("24h", SATURDAY)[::23] == ["11-20 17:00", "11-21 16:00"]
    assert len(local("24h", SATURDAY)) == 24


@pytest.mark.parametrize(
    ("noon", "hours"), [("2026-03-29 12:00", 23), ("2026-10-25 12:00", 25), ("2026-03-30 12:00", 24)]
)
def test_the_days_on_which_clocks_change_have_23_and_25_hours(noon: str, hours: int) -> None:
    today = period_called("1d", now=warsaw(noon)).start
    tomorrow = period_called("1d", now=warsaw(noon) + timedelta(days=1)).start
    assert tomorrow - today == timedelta(hours=hours)


def test_the_hour_that_comes_twice_is_two_hours() -> None:
    starts = period_called("4h", now=warsaw("2026-10-25 03:30")).starts
    assert [f"{timezone.localtime(start):%H:%M %Z}" for start in starts] == [
        "01:00 CEST", "02:00 CEST", "02:00 CET", "03:00 CET",
    ]  # fmt: skip
    assert len(set(starts)) == 4


def test_hours_are_those_of_the_clock_where_it_is_half_an_hour_off() -> None:
    with timezone.override("Asia/Kolkata"):
        start = period_called("1h", now=datetime(2026, 11, 21, 10, 50, tzinfo=UTC)).start
    assert start == datetime(2026, 11, 21, 10, 30, tzinfo=UTC)


@pytest.mark.parametrize("name", ["", "30", "0d", "d", "-1d", "400d", "169h", "105w", "3 d", "1m", "٣d"])
def test_what_is_no_period_is_refused_with_what_to_write(name: str) -> None:
    with pytest.raises(InvalidPeriod) as refusal:
        period_called(name)
    assert "30d" in str(refusal.value.remedy)
