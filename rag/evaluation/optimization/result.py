"""What a search for better parts came to, as it is kept."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from pydantic import TypeAdapter

from rag.evaluation.measures.significance import LEVEL, Difference


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedValue:
    """A part with its value before and the one found."""

    name: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Optimum:
    """`searched` are the means of the questions that were searched on, before and after; `held_out` those of the
    others, which had no part in the search. `scores`: of each held-out question, before and after. `parts`: to be put
    into a preset.
    """

    changes: tuple[ChangedValue, ...]
    parts: Mapping[str, Any]
    searched: tuple[float, float]
    searched_questions: int
    held_out: Difference
    scores: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def proven(self) -> bool:
        """Held-out questions gain by more than chance."""
        return bool(self.changes) and self.held_out.change > 0 and self.held_out.p < LEVEL

    @property
    def moved(self) -> list[tuple[str, float, float]]:
        """(question, before, after) of the held-out questions that changed, the losses first."""
        changed = [(key, *scores) for key, scores in self.scores.items() if scores[0] != scores[1]]
        return sorted(changed, key=lambda one: one[2] - one[1])


_STORED: TypeAdapter[Optimum] = TypeAdapter(Optimum)


def as_stored(optimum: Optimum) -> dict[str, Any]:
    """`read_optimum` reads it back."""
    return asdict(optimum)


def read_optimum(stored: Mapping[str, Any]) -> Optimum | None:
    """None where there is none yet. Raises pydantic's ValidationError for what is no result."""
    return _STORED.validate_python(stored) if stored else None
