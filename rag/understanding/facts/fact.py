"""A fact: a quantity, a date, a provision or an identifier as a value that can be compared with others."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rag.types import ProblemKind

Dimension = Literal[
    "hours", "months", "working_days", "clock", "PLN", "EUR", "USD", "%", "metres", "grams", "bytes", "count",
    "date", "provision", "identifier",
]  # fmt: skip
Value = tuple[float | str | None, ...]
_NEAR = 0.05  # of a value that is said to be approximate
_TIME = re.compile(r"(?P<hours>\d+)(?:[.,](?P<minutes>\d+))?")
_CONVERTIBLE = {frozenset(("hours", "months")), frozenset(("hours", "working_days"))}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """Characters [start, end) of a sentence state `value` in the base unit of its `dimension`.

    A quantity is (number,), right within `slack`; of a `count` the counted noun is `unit`. A date is (year, month, day)
    with None for what is not said; a provision the parts it names ("art.5", "ust.2"); an identifier its characters.
    """

    kind: ProblemKind
    dimension: Dimension
    value: Value
    written: str
    start: int
    end: int
    slack: float = 0.0
    unit: str = ""


def agrees(said: Fact, found: Fact) -> bool:
    """Whether `found` says what `said` does, or more exactly; "marzec 2024" is borne out by "12 marca 2024"."""
    if said.dimension == found.dimension:
        if said.dimension == "date":
            return all(ours in (None, theirs) for ours, theirs in zip(said.value, found.value, strict=True))
        if said.dimension == "provision":
            return set(said.value) <= set(found.value)
        return _near(said, found)
    if "count" in (said.dimension, found.dimension):
        return _loosely_agrees(said, found)
    return False


def rivals(said: Fact, found: Fact) -> bool:
    """Whether the two are values of one kind that differ, so that one could stand where the other stands."""
    if said.dimension != found.dimension:
        return frozenset((said.dimension, found.dimension)) in _CONVERTIBLE
    if said.dimension == "date":
        pairs = zip(said.value, found.value, strict=True)
        return any(None not in pair and pair[0] != pair[1] for pair in pairs)
    if said.dimension == "provision":
        return not set(said.value) >= set(found.value) and not agrees(said, found)
    if said.dimension == "count" and said.unit and found.unit and said.unit != found.unit:
        return False
    return not agrees(said, found)


def agreeing(said: Fact, among: Sequence[Fact]) -> bool:
    return any(agrees(said, found) for found in among)


def rival(said: Fact, among: Sequence[Fact], *, besides: Sequence[Fact]) -> Fact | None:
    """The value that stands in the place of `said`: none that the other facts of the claim account for."""
    others = [found for found in among if rivals(said, found) and not any(agrees(one, found) for one in besides)]
    return others[0] if others else None


def _near(said: Fact, found: Fact) -> bool:
    ours, theirs = said.value[0], found.value[0]
    if isinstance(ours, float) and isinstance(theirs, float):
        return abs(ours - theirs) <= max(said.slack, found.slack) + 1e-9
    return ours == theirs


def _loosely_agrees(said: Fact, found: Fact) -> bool:
    """A number without a unit may be a year, or any other value; one that counts things may not."""
    bare, other = (said, found) if said.dimension == "count" else (found, said)
    if other.dimension == "date":
        return other.value[0] == bare.value[0] and other.value[1] is None
    if other.dimension == "clock":
        time = _TIME.fullmatch(bare.written)
        return time is not None and other.value[0] == float(time["hours"]) + float(time["minutes"] or 0) / 60
    if bare.unit or not isinstance(other.value[0], float):
        return False
    return bare.value[0] == other.value[0] or bare.written in other.written.split()


def approximate(value: float) -> float:
    """The slack of "około 1 200"."""
    return abs(value) * _NEAR
