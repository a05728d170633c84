"""What was spent month by month and for whom, as it was booked: all requests, answered or not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Sum
from django.utils.translation import gettext as _

from ingestion.models.viewers import Viewer
from rag.llm.spending.ledger import this_month
from rag.models import MonthlySpending
from rag.models.spending import NOBODY
from rag.selectors import editable_assistants

_MONTHS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthCost:
    """A month, by its first day. `cost` in US dollars, without `unpriced` of its `tokens`."""

    month: date
    requests: int
    tokens: int
    unpriced: int
    cost: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AssistantCost:
    """What an assistant has spent this month; `name` in words where it is none, or none of the viewer's."""

    name: str
    requests: int
    tokens: int
    unpriced: int
    cost: float


def costs_by_month() -> tuple[MonthCost, ...]:
    """The last twelve months in which a model was asked, the newest first."""
    rows = MonthlySpending.objects.values("month").annotate(**_SUMS).order_by("-month")[:_MONTHS]
    return tuple(MonthCost(month=row["month"], **_figures([row])) for row in rows)


def costs_by_assistant(viewer: Viewer) -> tuple[AssistantCost, ...]:
    """This month's, the dearest first. Assistants that `viewer` may not see are told together."""
    rows = list(MonthlySpending.objects.filter(month=this_month()).values("assistant").annotate(**_SUMS))
    names = {NOBODY: _("without an assistant"), **dict(editable_assistants(viewer).values_list("pk", "name"))}
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault(names.get(row["assistant"], _("other assistants")), []).append(row)
    found = [AssistantCost(name=name, **_figures(together)) for name, together in groups.items()]
    return tuple(sorted(found, key=lambda one: (-one.cost, -one.tokens, one.name)))


_SUMS = {
    "asked": Sum("requests"),
    "read": Sum("input"),
    "wrote": Sum("output"),
    "priceless": Sum("unpriced"),
    "dollars": Sum("cost"),
}


def _figures(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "requests": sum(row["asked"] for row in rows),
        "tokens": sum(row["read"] + row["wrote"] for row in rows),
        "unpriced": sum(row["priceless"] for row in rows),
        "cost": float(sum(row["dollars"] for row in rows)),
    }
