"""Which price holds: that of the settings, else the one of the admin, else the one that ships with its date."""

from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from knowledgetree.language_models import LLMSettings, Price
from rag.llm.spending.price_list import current_prices, listed_prices, shipped_prices
from rag.models import ModelPrice

pytestmark = pytest.mark.django_db

KNOWN = "claude-sonnet-4-5"


def test_shipped_prices_say_of_when_they_are_and_whose() -> None:
    shipped = shipped_prices()
    assert shipped.as_of.year >= 2025
    assert "Anthropic" in shipped.source
    assert shipped.prices[KNOWN] == Price(input=3.0, output=15.0, cache_read=0.3, cache_write=3.75)


def test_reading_from_a_cache_never_costs_more_than_reading() -> None:
    for name, price in shipped_prices().prices.items():
        assert 0 < price.input <= price.output, name
        assert price.cache_read is None or price.cache_read < price.input, name


def test_a_model_of_unknown_price_has_none() -> None:
    defaults = LLMSettings()
    assert not {defaults.model, defaults.fast_model} & current_prices().keys()


def test_the_admins_price_goes_before_the_shipped_one_and_the_settings_before_both(settings: Any) -> None:
    ModelPrice.objects.create(model=KNOWN, input=2, output=Decimal("9.5"))
    assert current_prices()[KNOWN] == Price(input=2.0, output=9.5)
    settings.RAG = {**settings.RAG, "llm": {"prices": {KNOWN: {"input": 1, "output": 1}}}}
    assert current_prices()[KNOWN] == Price(input=1, output=1)
    (listed,) = [one for one in listed_prices() if one.model == KNOWN]
    assert [listed.shipped.input, listed.own.input, listed.configured.input] == [3.0, 2.0, 1]  # type: ignore[union-attr]
    assert listed.price == listed.configured
    assert listed.changed is not None


def test_a_change_holds_at_once_and_costs_no_query_a_question() -> None:
    row = ModelPrice.objects.create(model="nasz", input=1, output=1)
    assert current_prices()["nasz"].input == 1.0
    with CaptureQueriesContext(connection) as queries:
        current_prices()
    assert len(queries) == 0
    row.input = 5
    row.save()
    assert current_prices()["nasz"].input == 5.0
    row.delete()
    assert "nasz" not in current_prices()
