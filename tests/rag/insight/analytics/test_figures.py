"""Each expected number is counted by hand from the few questions of its test."""

from datetime import timedelta

import pytest

from rag.insight.analytics import period_called
from rag.insight.analytics.figures import Figures, figures_of
from rag.insight.analytics.spending import ModelSpending, spending_of
from tests.rag.insight.analytics.exchanges import asked, warsaw

pytestmark = pytest.mark.django_db
NOW = warsaw("2026-11-21 16:20")
TODAY = period_called("1d", now=NOW)


def test_nothing_asked_is_zeros_and_no_shares() -> None:
    total, buckets = figures_of(period_called("2d", now=NOW))
    assert total == Figures()
    assert [bucket.figures for bucket in buckets] == [Figures(), Figures()]
    assert set(total.shares.values()) == {None}


def test_shares_are_of_the_questions_that_they_can_happen_to() -> None:
    asked(at=NOW, outcome="direct", quality="")
    asked(at=NOW, quality="HIGH", cache="answers", corrected=True, lexical_hits=4)
    asked(at=NOW, quality="HIGH", lexical_hits=3)
    asked(at=NOW, quality="MEDIUM", corrected=True, lexical_hits=1)
    asked(at=NOW, quality="LOW", outcome="not_found", corrected=True, web_fallback=True, lexical_hits=0)
    asked(at=NOW, quality="LOW", outcome="not_certain")  # kept by a release that did not count hits
    total, _ = figures_of(TODAY)
    assert (total.questions, total.direct, total.searched, total.cached, total.measured) == (6, 1, 4, 1, 3)
    assert total.shares == pytest.approx(
        {
            "not_found": 1 / 5,
            "not_certain": 1 / 5,
            "cached": 1 / 5,
            "high": 2 / 5,
            "medium": 1 / 5,
            "low": 2 / 5,
            "corrected": 2 / 4,  # the one from the cache was corrected when it was made
            "web": 1 / 4,
            "wordless": 1 / 3,
        }
    )


def test_percentiles_of_the_whole_are_not_those_of_its_parts() -> None:
    for day, times in (("2026-11-20", [100, 200, 300]), ("2026-11-21", [1000, 2000])):
        for total in times:
            asked(at=warsaw(f"{day} 10:00"), total=total)
    asked(at=NOW, outcome="direct", quality="")  # has no time
    total, (yesterday, today) = figures_of(period_called("2d", now=NOW))
    assert (yesterday.figures.median, today.figures.median, total.median) == (200, 1500, 300)
    # Linear interpolation: 0.95 of the way from the first to the last of n values, at rank 0.95 * (n - 1).
    assert yesterday.figures.p95 == pytest.approx(200 + 0.9 * 100)
    assert total.p95 == pytest.approx(1000 + 0.8 * 1000)


def test_costs_of_a_part_of_a_cent_add_up() -> None:
    for _ in range(10):
        asked(at=NOW, cost=0.00004)
    assert figures_of(TODAY)[0].cost == pytest.approx(0.0004)


def test_a_question_belongs_to_the_day_that_it_is_in_warsaw() -> None:
    asked(at=warsaw("2026-11-19 23:59:59"))
    asked(at=warsaw("2026-11-20 00:00"))  # still the 19th in UTC
    asked(at=warsaw("2026-11-20 23:59:59"))
    asked(at=warsaw("2026-11-21 00:30"))
    asked(at=NOW + timedelta(seconds=1))  # not yet
    _, buckets = figures_of(period_called("2d", now=NOW))
    assert [(bucket.start.day, bucket.figures.questions) for bucket in buckets] == [(20, 2), (21, 1)]


@pytest.mark.parametrize(
    ("day", "before", "inside", "after"),
    [
        ("2026-03-29", "2026-03-28 23:59", ["00:00", "01:59", "03:00", "23:59"], "2026-03-30 00:00"),
        ("2026-10-25", "2026-10-24 23:59", ["00:00", "02:30", "03:00", "23:59"], "2026-10-26 00:00"),
    ],
)
def test_days_on_which_clocks_change_have_all_their_questions(
    day: str, before: str, inside: list[str], after: str
) -> None:
    for at in (warsaw(before), warsaw(after), *(warsaw(f"{day} {hour}") for hour in inside)):
        asked(at=at)
    _, buckets = figures_of(period_called("3d", now=warsaw(after) + timedelta(hours=12)))
    assert [bucket.figures.questions for bucket in buckets] == [1, 4, 1]


def test_the_hour_that_comes_twice_is_counted_twice() -> None:
    asked(at=warsaw("2026-10-25 02:10"))
    asked(at=warsaw("2026-10-25 02:10", fold=1))
    asked(at=warsaw("2026-10-25 02:20", fold=1))
    total, buckets = figures_of(period_called("4h", now=warsaw("2026-10-25 03:30")))
    assert [bucket.figures.questions for bucket in buckets] == [0, 1, 2, 0]
    assert total.questions == 3


def test_weeks_have_their_seven_days() -> None:
    for day in range(9, 22):
        asked(at=warsaw(f"2026-11-{day:02} 12:00"))
    _, buckets = figures_of(period_called("2w", now=NOW))
    assert [bucket.figures.questions for bucket in buckets] == [7, 6]


def test_spending_is_by_model_at_the_prices_of_the_time() -> None:
    used = {"input": 1000, "output": 100, "cache_read": 400, "cache_write": 0}
    small = {"input": 10, "output": 1, "cache_read": 0, "cache_write": 0}
    models = {"answer": "big", "rewriting": "fast", "critique": "fast"}
    asked(
        at=NOW,
        usage={"answer": used, "rewriting": small, "critique": small},
        models=models,
        costs={"answer": 0.02, "rewriting": 0.001, "critique": 0.002},
        cost=0.023,
    )
    asked(at=NOW, usage={"answer": used}, models=models, costs={"answer": 0.03}, cost=0.03)
    asked(at=NOW, usage={"answer": used, "hyde": small}, answering="old")  # before models were noted
    asked(at=NOW)
    assert spending_of(TODAY) == (
        ModelSpending(model="big", questions=2, input=2000, output=200, cached=800, cost=pytest.approx(0.05)),
        ModelSpending(model="fast", questions=1, input=20, output=2, cached=0, cost=pytest.approx(0.003)),
        ModelSpending(model="", questions=1, input=10, output=1, cached=0, cost=0),
        ModelSpending(model="old", questions=1, input=1000, output=100, cached=400, cost=0),
    )
