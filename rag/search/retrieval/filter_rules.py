"""What a filter may say, checked before it becomes SQL; whoever calls from Python gets the same words as over HTTP."""

import json
import re
from calendar import monthrange
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from django.utils.translation import gettext as _

from ingestion.models import Collection, Source
from rag.errors import InvalidFilter
from rag.types import Filters

_AS_OF = re.compile(r"\d{4}(?:-\d{2}){0,2}")

MAX_VALUES = 100
MAX_LENGTH = 2000
MAX_METADATA = 4000
"""Characters of the JSON that `metadata` is written as."""
MAX_DEPTH = 6
"""Objects and lists inside each other."""

LISTS = ("collections", "sources", "media_types", "languages", "categories", "tags", "versions")
DAYS = ("valid_on", "valid_through", "modified_from", "modified_to")


def check_filters(filters: Filters) -> None:
    """Raises InvalidFilter, naming the filter and what is wrong with it."""
    if problems := filter_problems(filters):
        raise InvalidFilter(" ".join(f"{name}: {problem}" for name, problem in problems.items()))


def filters_as_of(filters: Filters, as_of: str | None) -> Filters:
    """With the day, the month or the year that `as_of` names: 2024-03-05, 2024-03 or 2024; as they are where it names
    none. Raises InvalidFilter.
    """
    if not as_of:
        return filters
    try:
        written = as_of.strip()
        first = date.fromisoformat(written + "-01-01"[3 * written.count("-") :])
        if not _AS_OF.fullmatch(written):
            raise ValueError
    except ValueError as error:
        said = _("as_of: “%(value)s” is no day, month or year.") % {"value": as_of[:40]}
        raise InvalidFilter(said, remedy=_("Write 2024-03-05, 2024-03 or 2024.")) from error
    if written.count("-") == 2:
        return replace(filters, valid_on=first, valid_through=None)
    month = first.month if written.count("-") else 12
    return replace(filters, valid_on=first, valid_through=date(first.year, month, monthrange(first.year, month)[1]))


def check_sources(filters: Filters, collections: Sequence[Collection]) -> None:
    """Raises InvalidFilter for a source that none of `collections` has: a hidden one is as unknown as any other."""
    if not filters.sources:
        return
    sources = Source.objects.filter(collection__in=collections).values_list("pk", "name")
    known = {text for pk, name in sources for text in (str(pk), name)}
    if unknown := sorted(set(filters.sources) - known):
        raise InvalidFilter(_("There is no source %(names)s.") % {"names": ", ".join(unknown)})


def filter_problems(filters: Filters) -> dict[str, str]:
    """What is wrong, by the name of the filter; empty: nothing."""
    found = {name: _list_problem(getattr(filters, name)) for name in LISTS}
    found |= {name: _day_problem(getattr(filters, name)) for name in DAYS}
    found["metadata"] = _metadata_problem(filters.metadata)
    if not found["modified_from"] and not found["modified_to"]:
        found["modified_to"] = _order_problem(filters.modified_from, filters.modified_to)
    if filters.valid_through and not found["valid_on"] and not found["valid_through"]:
        is_period = filters.valid_on and filters.valid_on <= filters.valid_through
        found["valid_through"] = "" if is_period else _("It needs a valid_on that is not later.")
    return {name: problem for name, problem in found.items() if problem}


def _list_problem(values: object) -> str:
    if not isinstance(values, tuple | list) or not all(isinstance(value, str) for value in values):
        return _("Expected a list of texts.")
    if len(values) > MAX_VALUES:
        return _("At most %(n)d values are possible.") % {"n": MAX_VALUES}
    if not all(value.strip() for value in values):
        return _("A value is empty.")
    if any(len(value) > MAX_LENGTH for value in values):
        return _("A value has more than %(n)d characters.") % {"n": MAX_LENGTH}
    return "" if all(map(_storable, values)) else _("A value holds characters that no document can hold.")


def _day_problem(day: object) -> str:
    return "" if day is None or isinstance(day, date) else _("Expected a day.")


def _order_problem(start: date | None, end: date | None) -> str:
    return _("It lies before modified_from.") if start and end and end < start else ""


def _metadata_problem(metadata: object) -> str:
    if not isinstance(metadata, Mapping):
        return _("Expected a JSON object.")
    if _deeper_than(MAX_DEPTH, metadata):
        return _("It is nested more than %(n)d deep.") % {"n": MAX_DEPTH}
    try:
        written = json.dumps(dict(metadata), allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError):
        return _("Expected a JSON object of texts, numbers, true, false, null, lists and objects.")
    if len(written) > MAX_METADATA:
        return _("Written as JSON it has more than %(n)d characters.") % {"n": MAX_METADATA}
    return "" if all(map(_storable, _texts(metadata))) else _("A value holds characters that no document can hold.")


def _deeper_than(levels: int, value: Any) -> bool:
    """Looks no deeper than it must: what comes from outside may be nested without end."""
    if not isinstance(value, Mapping | list | tuple):
        return False
    inner = value.values() if isinstance(value, Mapping) else value
    return levels == 0 or any(_deeper_than(levels - 1, item) for item in inner)


def _texts(value: Any) -> Iterator[str]:
    """Every key and every text inside `value`."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield str(key)
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)


def _storable(text: str) -> bool:
    """PostgreSQL stores neither NUL nor half a surrogate pair; sent to it, they would be an error of the database."""
    return "\x00" not in text and not any("\ud800" <= character <= "\udfff" for character in text)
