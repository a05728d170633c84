"""How far a month's budget is used, and who may still ask a model."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError

from knowledgetree.language_models import LLMSettings
from rag.llm.spending.budgets import affordable, budget_states, exhausted_budget
from rag.llm.spending.ledger import Use, add_to_ledger
from rag.llm.spending.meter import spending_for
from rag.models import Assistant, MonthlyBudget, MonthlySpending
from rag.types import Tokens

pytestmark = pytest.mark.django_db

PRICED, UNKNOWN = "claude-haiku-4-5", "nasz-bielik"  # a dollar for a million tokens read
WITH_MODEL = LLMSettings(api_key="klucz")


@pytest.fixture
def helper() -> Assistant:
    return Assistant.objects.create(name="Pomocnik", slug="pomocnik")


@pytest.fixture
def spend() -> Callable[..., None]:
    def spend(assistant: Assistant | None, millions: float, *, model: str = PRICED) -> None:
        tokens = Tokens(input=int(millions * 1_000_000))
        add_to_ledger([Use(assistant=assistant.pk if assistant else 0, model=model, tokens=tokens)])

    return spend


def test_without_a_budget_everything_may_be_asked(helper: Assistant, spend: Callable[..., None]) -> None:
    spend(helper, 1000)
    assert budget_states() == []
    assert exhausted_budget(helper.pk) is None


@pytest.mark.parametrize(
    ("millions", "level"), [(0, "free"), (7.9, "free"), (8, "warned"), (9.99, "warned"), (10, "stopped")]
)
def test_a_budget_warns_at_its_share_and_stops_at_its_end(
    helper: Assistant, spend: Callable[..., None], millions: float, level: str
) -> None:
    MonthlyBudget.objects.create(assistant=helper, dollars=10, warn_percent=80)
    spend(helper, millions)
    (state,) = budget_states()
    assert (state.name, state.level) == ("Pomocnik", level)
    assert state.share == pytest.approx(millions / 10)
    assert (exhausted_budget(helper.pk) is not None) == (level == "stopped")


def test_an_assistants_budget_binds_nobody_else(helper: Assistant, spend: Callable[..., None]) -> None:
    MonthlyBudget.objects.create(assistant=helper, dollars=1)
    spend(helper, 2)
    assert exhausted_budget(helper.pk)
    assert exhausted_budget(None) is None
    assert exhausted_budget(helper.pk + 1) is None


def test_that_of_the_installation_counts_everything_and_binds_everybody(
    helper: Assistant, spend: Callable[..., None]
) -> None:
    MonthlyBudget.objects.create(dollars=3)
    spend(helper, 2)
    assert exhausted_budget(None) is None
    spend(None, 1)
    assert exhausted_budget(None)
    assert exhausted_budget(helper.pk)


def test_models_without_a_price_are_bound_by_tokens_alone(helper: Assistant, spend: Callable[..., None]) -> None:
    budget = MonthlyBudget.objects.create(assistant=helper, dollars=1)
    spend(helper, 50, model=UNKNOWN)
    (state,) = budget_states()
    assert state.level == "free"
    assert state.misses_prices
    budget.tokens = 50_000_000
    budget.save()
    assert exhausted_budget(helper.pk)


def test_a_budget_of_nothing_stops_at_once(helper: Assistant) -> None:
    MonthlyBudget.objects.create(assistant=helper, dollars=0)
    assert exhausted_budget(helper.pk)


def test_a_new_month_begins_at_nothing(helper: Assistant) -> None:
    MonthlyBudget.objects.create(assistant=helper, dollars=1)
    MonthlySpending.objects.create(month=date(2020, 1, 1), assistant=helper.pk, model=PRICED, cost=Decimal(99))
    assert exhausted_budget(helper.pk) is None


def test_what_cannot_be_afforded_is_an_installation_without_a_model(
    helper: Assistant, spend: Callable[..., None]
) -> None:
    MonthlyBudget.objects.create(assistant=helper, dollars=1)
    with spending_for(helper.pk):
        assert affordable(WITH_MODEL) == WITH_MODEL
        spend(helper, 1)
        assert not affordable(WITH_MODEL).configured
    assert affordable(WITH_MODEL) == WITH_MODEL


def test_one_budget_for_each_and_at_least_one_limit(helper: Assistant) -> None:
    for assistant in (helper, None):
        MonthlyBudget.objects.create(assistant=assistant, dollars=1)
        with pytest.raises(ValidationError):
            MonthlyBudget(assistant=assistant, dollars=2).full_clean()
    with pytest.raises(ValidationError):
        MonthlyBudget(assistant=Assistant.objects.create(name="Drugi", slug="drugi")).full_clean()
