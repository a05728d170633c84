"""What a search is narrowed to, shown above the question box; each part can be taken away."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from django.http import QueryDict
from django.utils.formats import date_format
from django.utils.translation import gettext

from rag.chat.asking.filter_groups import FilterGroup
from rag.types import Filters


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterChip:
    """`name` and `value` are those of the field; `address` is this page without it."""

    name: str
    value: str
    label: str
    address: str = ""


def filter_chips(groups: Iterable[FilterGroup], filters: Filters) -> list[FilterChip]:
    """One for each chosen value of `groups`, each day and the documents no longer in force; addresses lead on."""
    chips = [
        FilterChip(name=group.name, value=option.value, label=f"{group.legend}: {option.label}")
        for group in groups
        for option in group.options
        if option.chosen
    ]
    days = {
        "valid_on": (filters.valid_on, gettext("In force on")),
        "modified_from": (filters.modified_from, gettext("Changed from")),
        "modified_to": (filters.modified_to, gettext("Changed until")),
    }
    chips += [_of_day(name, day, label) for name, (day, label) in days.items() if day]
    if filters.include_expired:
        chips.append(FilterChip(name="include_expired", value="on", label=gettext("Also no longer in force")))
    chosen = _query(chips)
    return [_removable(chip, chosen) for chip in chips]


def query_of(chips: Iterable[FilterChip]) -> str:
    """The chips as the query of an address, with its question mark; "" where there are none."""
    written = _query(chips).urlencode()
    return f"?{written}" if written else ""


def _of_day(name: str, day: date, label: str) -> FilterChip:
    return FilterChip(name=name, value=day.isoformat(), label=f"{label}: {date_format(day)}")


def _query(chips: Iterable[FilterChip]) -> QueryDict:
    query = QueryDict(mutable=True)
    for chip in chips:
        query.appendlist(chip.name, chip.value)
    return query


def _removable(chip: FilterChip, chosen: QueryDict) -> FilterChip:
    others = chosen.copy()
    others.setlist(chip.name, [value for value in chosen.getlist(chip.name) if value != chip.value])
    return FilterChip(name=chip.name, value=chip.value, label=chip.label, address=f"?{others.urlencode()}")
