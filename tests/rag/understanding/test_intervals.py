"""Intervals as tables, lists and sentences write them."""

from math import inf

import pytest

from rag.understanding.expected import expected
from rag.understanding.facts.intervals import find_intervals, value_for


@pytest.mark.parametrize(
    ("text", "dimension", "low", "high"),
    [
        ("do 10 000 zł", "PLN", -inf, 10_000),
        ("10 001–50 000 zł", "PLN", 10_001, 50_000),
        ("od 5 000,01 zł do 50 000 zł", "PLN", 5_000.01, 50_000),
        ("od 10 lat", "months", 120, inf),
        ("co najmniej 10 lat", "months", 120, inf),
        ("powyżej 3 miesięcy do 6 miesięcy", "months", 3, 6),
        ("powyżej 3 do 6 miesięcy", "months", 3, 6),
        ("nie dłużej niż 14 dni roboczych", "working_days", -inf, 14),
        ("5 osób i więcej", "count", 5, inf),
        ("między 5 a 10 kg", "grams", 5_000, 10_000),
        ("kwota nie przekracza 130 tys. zł", "PLN", -inf, 130_000),
        ("do 1 GB", "bytes", -inf, 1e9),
    ],
)
def test_an_interval_has_its_bounds_in_the_base_unit(text, dimension, low, high):
    (interval,) = find_intervals(text)

    assert (interval.dimension, interval.low, interval.high) == (dimension, low, high)


def test_a_value_without_a_bound_is_no_interval():
    assert find_intervals("opłata wynosi 20 zł") == []


def test_above_leaves_its_bound_out_and_up_to_keeps_it():
    (above,), (up_to,) = find_intervals("powyżej 10 000 zł"), find_intervals("do 10 000 zł")

    assert not above.holds(10_000)
    assert above.holds(10_000.01)
    assert up_to.holds(10_000)


@pytest.mark.parametrize(
    ("text", "question", "value"),
    [
        ("powyżej 6 miesięcy", "po 2 latach", 24.0),
        ("do 50 000 zł", "faktura na 20 tys.", 20_000.0),
        ("do 50 000 zł", "pracuję 20 lat", None),
        ("do 3 osób", "mam 4 psy", None),
        ("do 100 użytkowników", "dla 50 osób", 50.0),
        ("do 100 stron", "dla 50 osób", None),
        ("do 100 użytkowników", "dla 50 uczniów", None),
    ],
)
def test_a_value_is_turned_into_the_unit_of_the_interval(text, question, value):
    (interval,), (given,) = find_intervals(text), expected(question).given

    assert value_for(interval, given) == value
