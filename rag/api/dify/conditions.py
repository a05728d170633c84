"""Dify's conditions of metadata as our filters, as far as these can say them; anything else is refused."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.utils.translation import gettext as _

from rag.errors import InvalidFilter
from rag.types import Filters

OPERATORS = (
    "contains", "not contains", "start with", "end with", "is", "is not", "in", "not in", "empty", "not empty",
    "=", "≠", ">", "<", "≥", "≤", "before", "after",
)  # fmt: skip
"""All that Dify has."""

_ANY_OF = {
    "category": "categories",
    "language": "languages",
    "media_type": "media_types",
    "source": "sources",
    "version": "versions",
}
"""Names of which any of several values will do, with the filter that each is."""
_TAGS = ("tag", "tags")
_CHANGED = "modified"


@dataclass(frozen=True, slots=True, kw_only=True)
class MetadataCondition:
    name: str
    operator: str
    value: Any = None

    def __str__(self) -> str:
        return f"{self.name} {self.operator}"


def filters_of(conditions: Sequence[MetadataCondition], *, either: bool = False) -> Filters:
    """All `conditions` hold; with `either` one of them will do. Raises InvalidFilter for what filters cannot say."""
    if either and len(conditions) > 1:
        return _either(conditions)
    found: dict[str, Any] = {}
    for condition in conditions:
        for name, value in _said(condition).items():
            if name == "tags":
                value = (*found.get(name, ()), *value)
            elif name == "metadata" and not value.keys() & found.get(name, {}).keys():
                value = {**found.get(name, {}), **value}
            elif name in found:
                raise InvalidFilter(_("There is more than one condition on %(name)s.") % {"name": condition.name})
            found[name] = value
    return Filters(**found)


def _either(conditions: Sequence[MetadataCondition]) -> Filters:
    names = {_ANY_OF.get(condition.name) for condition in conditions}
    if len(names) != 1 or None in names:
        raise InvalidFilter(
            _("“or” is understood only between values of one of these: %(names)s.") % {"names": ", ".join(_ANY_OF)}
        )
    said: dict[str, Any] = {}
    for condition in conditions:
        for name, values in _said(condition).items():
            said[name] = (*said.get(name, ()), *values)
    return Filters(**said)


def _said(condition: MetadataCondition) -> Mapping[str, Any]:
    """One condition as filters."""
    name, operator, value = condition.name, condition.operator, condition.value
    if filter_name := _ANY_OF.get(name):
        if operator in ("is", "in"):
            return {filter_name: _texts(condition)}
    elif name in _TAGS:
        if operator in ("is", "contains") or (operator == "in" and len(_texts(condition)) == 1):
            return {"tags": _texts(condition)}
    elif name == _CHANGED:
        if operator in ("before", "after"):
            return (
                {"modified_to": _day(condition, -1)} if operator == "before" else {"modified_from": _day(condition, 1)}
            )
    elif operator == "is" and isinstance(value, str | int | float):
        return {"metadata": {name: value}}
    elif operator == "=":
        return {"metadata": {name: _number(condition)}}
    raise InvalidFilter(
        _("The condition “%(condition)s” cannot be searched by.") % {"condition": condition},
        remedy=_(
            "These can: is and in for %(names)s, is and contains for tags, before and after (a day as 2026-03-31) for "
            "modified, is and = for other metadata."
        )
        % {"names": ", ".join(_ANY_OF)},
    )


def _texts(condition: MetadataCondition) -> tuple[str, ...]:
    values = condition.value if isinstance(condition.value, list) else [condition.value]
    if not values or not all(isinstance(value, str) and value.strip() for value in values):
        raise InvalidFilter(_("The condition “%(condition)s” needs a text as its value.") % {"condition": condition})
    return tuple(values)


def _day(condition: MetadataCondition, later: int) -> date:
    try:
        return date.fromisoformat(condition.value) + timedelta(days=later)
    except (TypeError, ValueError, OverflowError) as error:
        told = _("The condition “%(condition)s” needs a day such as 2026-03-31 as its value.")
        raise InvalidFilter(told % {"condition": condition}) from error


def _number(condition: MetadataCondition) -> int | float:
    """Dify sends numbers as text too."""
    try:
        number = float(condition.value)
        if not math.isfinite(number):
            raise ValueError(number)
        return int(number) if number.is_integer() else number
    except (TypeError, ValueError, OverflowError) as error:
        told = _("The condition “%(condition)s” needs a number as its value.")
        raise InvalidFilter(told % {"condition": condition}) from error
