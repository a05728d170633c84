"""Budgets of a month, with what is used of them."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from rag.admin.base import SuperuserAdmin
from rag.admin.dashboard.dashboard_charts import dollars, number, percent
from rag.admin.language_models.prices import unpriced_models
from rag.llm.spending.budgets import BudgetState, Level, budget_states
from rag.llm.spending.ledger import this_month
from rag.models import MonthlyBudget

_LEVELS: dict[Level, tuple[Any, str]] = {
    "free": (_("models are asked"), "success"),
    "warned": (_("nearly used up"), "warning"),
    "stopped": (_("used up: no model is asked"), "danger"),
}


@admin.register(MonthlyBudget)
class MonthlyBudgetAdmin(SuperuserAdmin[MonthlyBudget]):
    list_display = ["whose", "limit", "used", "state"]
    list_before_template = "admin/language_models/budgets.html"
    fields = ["assistant", "dollars", "tokens", "warn_percent"]
    list_select_related = ["assistant"]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        self._states = {state.id: state for state in budget_states()}
        context = {"month": date_format(this_month(), "F Y").lower(), "unpriced": unpriced_models()}
        return super().changelist_view(request, {**(extra_context or {}), **context})

    @admin.display(description=_("for"), ordering="assistant__name")
    def whose(self, budget: MonthlyBudget) -> str:
        return str(budget)

    @admin.display(description=_("limit a month"))
    def limit(self, budget: MonthlyBudget) -> str:
        return " · ".join(limits_in_words(self._states[budget.pk]))

    @admin.display(description=_("used this month"))
    def used(self, budget: MonthlyBudget) -> SafeString:
        return used_bar(self._states[budget.pk])

    @admin.display(description=_("state"))
    def state(self, budget: MonthlyBudget) -> SafeString:
        words, colour = _LEVELS[self._states[budget.pk].level]
        return render_to_string("admin/ingestion/label.html", {"text": words, "colour": colour})


def limits_in_words(state: BudgetState) -> list[str]:
    limits = [dollars(float(state.dollars))] if state.dollars is not None else []
    return [*limits, gettext("%(n)s tokens") % {"n": number(state.tokens, 0)}] if state.tokens is not None else limits


def used_bar(state: BudgetState) -> SafeString:
    """A bar with words: what a colour says is said in them too."""
    used = [dollars(float(state.used_dollars))] if state.dollars is not None else []
    used += [gettext("%(n)s tokens") % {"n": number(state.used_tokens, 0)}] if state.tokens is not None else []
    context = {
        "name": state.name or gettext("the installation"),
        "share": min(state.share, 1.0),
        "percent": percent(state.share),
        "used": " · ".join(used),
        "unpriced": number(state.unpriced, 0) if state.misses_prices else "",
    }
    return render_to_string("admin/language_models/used.html", context)
