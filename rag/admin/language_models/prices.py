"""Prices of models: those that ship beside those set here, and which holds."""

from dataclasses import dataclass
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from knowledgetree.language_models import LLM_STEPS, Price
from rag.admin.base import SuperuserAdmin
from rag.admin.dashboard.dashboard_charts import number
from rag.llm import model_for
from rag.llm.configuration import llm_settings
from rag.llm.spending.price_list import ListedPrice, current_prices, listed_prices, shipped_prices
from rag.models import ModelPrice

_PARTS = ("input", "output", "cache_read", "cache_write")


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceRow:
    """A model with its price that ships and the one set here, in words. `address` leads to the latter's form."""

    model: str
    shipped: str
    own: str
    changed: Any
    configured: str
    address: str


@admin.register(ModelPrice)
class ModelPriceAdmin(SuperuserAdmin[ModelPrice]):
    """The list is one table of all prices; that of the rows alone would hide what holds without them."""

    change_list_template = "admin/language_models/prices.html"
    fields = ["model", "input", "output", "cache_read", "cache_write"]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        shipped = shipped_prices()
        context = {
            "title": _("Prices of language models"),
            "prices": [_row(listed) for listed in _own_first(listed_prices())],
            "as_of": shipped.as_of,
            "unpriced": [(model, _form_of(model)) for model in unpriced_models()],
        }
        return super().changelist_view(request, {**(extra_context or {}), **context})

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """The price that ships, where there is one for the model that the address names."""
        initial: dict[str, Any] = super().get_changeform_initial_data(request)
        known = shipped_prices().prices.get(str(initial.get("model", "")))
        return {**initial, **{part: getattr(known, part) for part in _PARTS}} if known else initial


def unpriced_models() -> list[str]:
    """Models that are asked here and have no price."""
    llm, prices = llm_settings(), current_prices()
    models = {model_for(llm, step) for step in LLM_STEPS} if llm.configured else set()
    return sorted(models - prices.keys() - {""})


def price_in_words(price: Price | None) -> str:
    """Input and output, then reading and writing the cache where these have prices of their own."""
    if price is None:
        return "–"
    said = f"{_dollars(price.input)} / {_dollars(price.output)}"
    cached = [_dollars(one) for one in (price.cache_read, price.cache_write) if one is not None]
    return f"{said} ({' / '.join(cached)})" if cached else said


def _dollars(value: float) -> str:
    """At least cents, and as many digits more as it takes."""
    return number(value, next(digits for digits in (2, 3, 4) if round(value, digits) == value or digits == 4))


def _own_first(prices: list[ListedPrice]) -> list[ListedPrice]:
    return sorted(prices, key=lambda listed: listed.own is None and listed.configured is None)


def _row(listed: ListedPrice) -> PriceRow:
    return PriceRow(
        model=listed.model,
        shipped=price_in_words(listed.shipped),
        own=price_in_words(listed.own) if listed.own else "",
        changed=listed.changed,
        configured=price_in_words(listed.configured) if listed.configured else "",
        address=_form_of(listed.model),
    )


def _form_of(model: str) -> str:
    row = ModelPrice.objects.filter(model=model).first()
    if row:
        return reverse("admin:rag_modelprice_change", args=[row.pk])
    return reverse("admin:rag_modelprice_add", query={"model": model})
