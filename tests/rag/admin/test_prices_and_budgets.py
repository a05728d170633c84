"""Prices beside each other with their dates, and budgets with what is used of them."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from rag.llm.spending.ledger import Use, add_to_ledger
from rag.llm.spending.price_list import current_prices
from rag.models import Assistant, ModelPrice, MonthlyBudget
from rag.types import Tokens

pytestmark = pytest.mark.django_db

PRICES = reverse("admin:rag_modelprice_changelist")
BUDGETS = reverse("admin:rag_monthlybudget_changelist")
KNOWN = "claude-haiku-4-5"


@pytest.fixture
def admin(superuser: User, settings: Any) -> Client:
    settings.RAG = {**settings.RAG, "llm": {"api_key": "klucz", "model": KNOWN, "fast_model": "nasz-bielik"}}
    client = Client(headers={"Accept-Language": "pl"})
    client.force_login(superuser)
    return client


def test_shipped_prices_are_shown_with_their_day_and_models_without_one_are_named(admin: Client) -> None:
    shown = admin.get(PRICES).content.decode()
    assert "1 grudnia 2025" in shown
    assert "1,00 / 5,00 (0,10 / 1,25)" in shown
    assert f"{reverse('admin:rag_modelprice_add')}?model=nasz-bielik" in shown


def test_a_price_begins_as_the_shipped_one_and_goes_before_it_when_saved(admin: Client) -> None:
    form = admin.get(reverse("admin:rag_modelprice_add"), {"model": KNOWN}).content.decode()
    assert re.search(r"value=\"1[.,]0\"", form)
    assert 'step="0.0001"' in form
    price = {"model": KNOWN, "input": "0.5", "output": "2", "cache_read": "", "cache_write": ""}
    admin.post(reverse("admin:rag_modelprice_add"), price)
    assert current_prices()[KNOWN].input == 0.5
    shown = admin.get(PRICES).content.decode()
    assert "<s>1,00 / 5,00 (0,10 / 1,25)</s>" in shown
    assert "<b>0,50 / 2,00</b>" in shown
    assert ModelPrice.objects.count() == 1


def test_a_budget_says_what_is_used_of_it_and_what_it_does_not_count(admin: Client) -> None:
    helper = Assistant.objects.create(name="Pomocnik", slug="pomocnik")
    admin.post(reverse("admin:rag_monthlybudget_add"), {"assistant": helper.pk, "dollars": "10", "warn_percent": "80"})
    tokens = Tokens(input=9_000_000)
    add_to_ledger([Use(assistant=helper.pk, model=model, tokens=tokens) for model in (KNOWN, "nasz-bielik")])
    shown = admin.get(BUDGETS).content.decode()
    assert MonthlyBudget.objects.get().assistant == helper
    for said in ("Pomocnik", "90\xa0%", "9\xa0$", "na wyczerpaniu", "tokenów modeli bez ceny", "Bez ceny: nasz-bielik"):
        assert said in shown


def test_a_budget_without_a_limit_or_a_second_one_is_not_saved(admin: Client) -> None:
    add = reverse("admin:rag_monthlybudget_add")
    assert admin.post(add, {"warn_percent": "80"}).status_code == 200
    assert admin.post(add, {"dollars": "1", "warn_percent": "80"}).status_code == 302
    assert admin.post(add, {"dollars": "2", "warn_percent": "80"}).status_code == 200
    assert MonthlyBudget.objects.count() == 1
