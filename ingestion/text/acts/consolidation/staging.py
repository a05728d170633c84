"""Units of an act that come into force apart from the rest, where they stand, and what they order."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from ingestion.text.acts.consolidation.orders import Order, single_units
from ingestion.text.acts.statutes.units import StatuteUnit, read_units
from ingestion.text.acts.validity import LaterEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedUnit:
    """Characters [start, end) of a text are the one `unit`, in force from `day`."""

    unit: str
    day: date
    start: int
    end: int


def later_units(text: str, later: Sequence[LaterEntry]) -> Iterator[PlacedUnit]:
    """Those of `later`, which `text` says, one by one; a name that two units have is nobody's."""
    units = read_units(text) if later else []
    named = {unit: one.day for one in later for unit in _named(one.units)}
    for number, unit in enumerate(units):
        day = named.get(unit.citation) if unit.chain else None
        if day and [other.citation for other in units].count(unit.citation) == 1:
            behind = (other.start for other in units[number + 1 :] if len(other.chain) <= len(unit.chain))
            yield PlacedUnit(unit=unit.citation, day=day, start=unit.start, end=next(behind, len(text)))


def day_of(order: Order, own: Sequence[StatuteUnit], later: Sequence[LaterEntry], day: date | None) -> date | None:
    """When an order takes effect: the act's `day`, unless its place in it is among those that come into force apart."""
    here = next((unit.citation for unit in reversed(own) if unit.start <= order.start), "")
    for one in later:
        for unit in _named(one.units):
            if here == unit or here.startswith(unit + " "):
                return one.day
    return day


def own_units(text: str) -> list[StatuteUnit]:
    """The units of an amending act itself, in order."""
    return [unit for unit in read_units(text) if unit.chain]


def _named(units: str) -> list[str]:
    """ "art. 1 pkt 3 i 4 oraz art. 2": each unit of the list."""
    parts = re.split(r"(?:,|\boraz|\bi)\s+(?=art\.|§)", units)
    return [single for part in parts for single in single_units(" ".join(part.split()))]
