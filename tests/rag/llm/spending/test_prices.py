from functools import partial

import pytest

from knowledgetree.language_models import LLMSettings, Price
from rag.llm import model_for
from rag.llm.spending.prices import costs, price
from rag.types import Tokens

PRICES = {
    "duzy": Price(input=4.0, output=20.0, cache_read=0.5, cache_write=5.0),
    "maly": Price(input=1.0, output=2.0),
}


def test_a_price_is_for_a_million_tokens():
    assert price(Tokens(input=1_000_000, output=500_000), PRICES["duzy"]) == pytest.approx(14.0)


def test_cached_input_has_prices_of_its_own():
    tokens = Tokens(input=1000, cache_read=600, cache_write=300)
    assert price(tokens, PRICES["duzy"]) == pytest.approx((100 * 4 + 600 * 0.5 + 300 * 5) / 1e6)


def test_each_step_costs_what_its_model_costs():
    settings = LLMSettings(model="duzy", fast_model="maly", models={"judging": "duzy", "planning": "nieznany"})
    usage = {step: Tokens(input=1_000_000) for step in ("answer", "grading", "judging", "planning")}
    found = costs(usage, model_of=partial(model_for, settings), prices=PRICES)
    assert found == pytest.approx({"answer": 4.0, "grading": 1.0, "judging": 4.0})


def test_without_prices_nothing_is_counted():
    assert costs({"answer": Tokens(input=9, output=9)}, model_of=lambda step: "duzy", prices={}) == {}


def test_tokens_add_up_with_what_was_cached():
    one = Tokens(input=10, output=1, cache_read=5, cache_write=2)
    assert one + one == Tokens(input=20, output=2, cache_read=10, cache_write=4)


def test_cached_input_without_a_price_of_its_own_costs_as_other_input():
    tokens = Tokens(input=1000, cache_read=600, cache_write=300)
    assert price(tokens, PRICES["maly"]) == pytest.approx(1000 * 1 / 1e6)
