"""What an answer cost, for those who look after the installation."""

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import PermissionsMixin
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from ingestion.models.viewers import Viewer


def sees_costs(viewer: Viewer) -> bool:
    """Whoever sees the dashboard, where all costs stand."""
    return isinstance(viewer, PermissionsMixin) and viewer.has_perm("rag.view_exchange")


def cost_in_words(metrics: Mapping[str, Any]) -> str:
    """The tokens of an answer and their price; "" where no model was asked. `metrics` as they are kept."""
    tokens = metrics.get("tokens") or {}
    if not (tokens.get("input") or tokens.get("output")):
        return ""
    read, written = (number_format(tokens.get(name, 0), force_grouping=True) for name in ("input", "output"))
    said = _("%(read)s tokens read, %(written)s written") % {"read": read, "written": written}
    unpriced = metrics.get("unpriced") or []
    cost = metrics.get("cost", 0.0)
    if cost or not unpriced:
        dollars = number_format(cost, decimal_pos=2 if cost >= 1 else 4)
        said = _("%(dollars)s $ (%(tokens)s)") % {"dollars": dollars, "tokens": said}
    if unpriced:
        said += "; " + _("without a price: %(models)s") % {"models": ", ".join(unpriced)}
    return said
