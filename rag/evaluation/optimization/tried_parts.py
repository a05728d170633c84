"""What is tried: the parts of a preset that questions can decide on, each with its range."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, get_args

from ingestion.models import EmbeddingSpace
from rag.evaluation.calibration.fusion import current_fusion
from rag.models import Optimization
from rag.presets import Preset
from rag.presets import preset as preset_called
from rag.types import FusionMethod

_BOOST = "boosts."

Values = Mapping[str, Any]
"""{part: value}; a lift among the boosts is a part by itself, such as "boosts.phrase"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartRange:
    """A number from `low` to `high`, or one of `choices`. `of_answers`: it shows in whole answers alone."""

    name: str
    low: float = 0.0
    high: float = 1.0
    whole: bool = False
    choices: tuple[str, ...] = ()
    of_answers: bool = False


TRIED = (
    PartRange(name="lexical_limit", low=10, high=120, whole=True),
    PartRange(name="dense_limit", low=5, high=80, whole=True),
    PartRange(name="fusion", choices=get_args(FusionMethod)),
    PartRange(name="dense_weight", high=0.8),
    PartRange(name="graph_weight", high=0.4),
    PartRange(name="lexicon_weight"),
    PartRange(name="communities", high=0.6),
    PartRange(name="alike_above", low=0.8),
    PartRange(name="boosts.keywords", high=0.4),
    PartRange(name="boosts.phrase", high=0.4),
    PartRange(name="boosts.intent", high=0.4),
    PartRange(name="boosts.recency", high=0.4),
    PartRange(name="boosts.alike", high=0.2),
    PartRange(name="boosts.linked", high=0.4),
    PartRange(name="neighbours", high=2, whole=True, of_answers=True),
    PartRange(name="least_answerable", low=0.2, high=0.7, of_answers=True),
    PartRange(name="certain_confidence", low=0.2, high=0.7, of_answers=True),
)


def preset_in_force(optimization: Optimization) -> Preset:
    """Raises ImproperlyConfigured where the preset has gone from the settings since."""
    assistant = optimization.assistant
    if assistant:
        return preset_called(assistant.preset_name, optimization.parts)
    return preset_called(optimization.preset)


def tried_parts(*, answers: bool) -> tuple[PartRange, ...]:
    return tuple(part for part in TRIED if answers or not part.of_answers)


def current_values(preset: Preset, space: EmbeddingSpace | None) -> dict[str, Any]:
    """Those in force for every part of `TRIED`; where the preset leaves it to the space, those of the space."""
    fusion = current_fusion(space or EmbeddingSpace())
    of_space = {"fusion": fusion.method, "dense_weight": fusion.dense_weight}
    values = {part.name: _value(preset, part.name) for part in TRIED}
    return {name: of_space[name] if value is None else value for name, value in values.items()}


def rounded(values: Values) -> dict[str, Any]:
    """As people would write them: two decimal places."""
    return {name: round(value, 2) if isinstance(value, float) else value for name, value in values.items()}


def as_parts(values: Values, preset: Preset) -> dict[str, Any]:
    """`values` as parts that replace those of `preset`; its other boosts stay."""
    lifts = {name.removeprefix(_BOOST): value for name, value in values.items() if name.startswith(_BOOST)}
    parts = {name: value for name, value in values.items() if not name.startswith(_BOOST)}
    return {**parts, "boosts": {**asdict(preset.boosts), **lifts}} if lifts else parts


def _value(preset: Preset, name: str) -> Any:
    return getattr(preset.boosts, name.removeprefix(_BOOST)) if name.startswith(_BOOST) else getattr(preset, name)
