"""Why passages were found: by their place, and as it is kept with a citation."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pydantic import TypeAdapter, ValidationError

from rag.types.answers import Citation
from rag.types.passages import Explanation, Passage

MOST_WORDS, MOST_FORMS, MOST_VARIANTS, MOST_BOOSTS, LONGEST_PATH, MOST_CHUNKS = 20, 8, 5, 8, 6, 50
LONGEST_TEXT = 300  # characters


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageRecord:
    """What is kept of a cited passage beside its quote; `relevance` in [0, 1]."""

    origin: Literal["document", "web"] = "document"
    relevance: float = 0.0
    explanation: Explanation = field(default_factory=Explanation)


_kept = TypeAdapter(PassageRecord)


def found_at(passages: Sequence[Passage]) -> dict[tuple[int, str], Passage]:
    """Passages by each of their places; one that was extended has several, and its own goes first."""
    extended = {(place.chunk_id, ""): passage for passage in passages for place in passage.places}
    return extended | {place_of(passage): passage for passage in passages}


def place_of(shown: Passage | Citation) -> tuple[int, str]:
    """A chunk, or a page of the web, which is none."""
    return shown.chunk_id, "" if shown.chunk_id else shown.uri


def as_kept(passage: Passage) -> dict[str, Any]:
    """JSON of some kilobytes at most, as much as is shown; what has no value is left out."""
    found = PassageRecord(origin=passage.origin, relevance=passage.relevance, explanation=_bounded(passage.explanation))
    content: dict[str, Any] = _kept.dump_python(found, mode="json", exclude_defaults=True)
    return content


def from_kept(content: Any) -> PassageRecord | None:
    """None where nothing was kept, or in the form of another release."""
    try:
        return _kept.validate_python(content) if content else None
    except ValidationError:
        return None


def _bounded(found: Explanation) -> Explanation:
    return replace(
        found,
        words=tuple(replace(word, forms=word.forms[:MOST_FORMS]) for word in found.words[:MOST_WORDS]),
        variants=tuple(variant[:LONGEST_TEXT] for variant in found.variants[:MOST_VARIANTS]),
        boosts=tuple(replace(boost, reason=boost.reason[:LONGEST_TEXT]) for boost in found.boosts[:MOST_BOOSTS]),
        graph_path=tuple(name[:LONGEST_TEXT] for name in found.graph_path[:LONGEST_PATH]),
        alike=found.alike[:MOST_CHUNKS],
        neighbours=found.neighbours[:MOST_CHUNKS],
    )
