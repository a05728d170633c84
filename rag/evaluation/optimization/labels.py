"""Measures and parts of an optimisation in words."""

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from knowledgetree.console import number
from rag.evaluation.optimization.objective import SERVED
from rag.evaluation.optimization.result import ChangedValue

MEASURES: dict[str, Promise] = {SERVED: gettext_lazy("questions served: answered right or rightly refused")}
"""Those of rankings are called by their names."""


def shown_changes(changes: Sequence[ChangedValue]) -> list[tuple[str, str, str]]:
    """(part, value before, value found)."""
    return [(change.name, _shown(change.before), _shown(change.after)) for change in changes]


def _shown(value: object) -> str:
    return number(value, 2) if isinstance(value, float) else str(value)
