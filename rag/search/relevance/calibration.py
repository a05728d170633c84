"""The weights that turn what a passage shows into the chance that it helps to answer, and where they come from."""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from ingestion.models import EmbeddingSpace

SHIPPED = Path(__file__).with_name("relevance.json")


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """Weighs one input: `weight` counts for each `scale` above `mean`, those of the passages it was fitted on."""

    weight: float
    mean: float = 0.0
    scale: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """A logistic regression over `inputs` (names as in `rag.search.relevance.inputs`), as Platt 1999 has it for one.

    `fitted_on` names the question sets, `questions` counts those it was fitted on; `quality` are measures on questions
    that were held out: ece, brier and auc, each in [0, 1].
    """

    inputs: Mapping[str, Weight]
    bias: float
    fitted_on: str = ""
    questions: int = 0
    quality: Mapping[str, float] = field(default_factory=dict)

    def chance(self, values: Mapping[str, float]) -> float:
        """In [0, 1]. `values` has at least the inputs of this calibration."""
        return logistic(
            self.bias + sum(part.weight * (values[name] - part.mean) / part.scale for name, part in self.inputs.items())
        )


def as_stored(calibration: Calibration) -> dict[str, Any]:
    """As `EmbeddingSpace.calibration` and the shipped file keep it, by the name of a reranker."""
    return {**asdict(calibration), "inputs": {name: asdict(part) for name, part in calibration.inputs.items()}}


def from_stored(content: Mapping[str, Any]) -> Calibration:
    inputs = {name: Weight(**part) for name, part in content["inputs"].items()}
    return Calibration(**{**content, "inputs": inputs})


def own_calibration(space: EmbeddingSpace | None, reranker: str) -> Calibration | None:
    """What `calibrate` fitted for passages that `reranker` ordered in `space`."""
    stored = space.calibration.get(reranker) if space else None
    return from_stored(stored) if stored else None


def compares_meaning(space: EmbeddingSpace | None) -> bool:
    """Whether the space's cosine speaks of meaning; that of the hashing embedder compares letters."""
    return space is not None and space.fusion.get("similarity_middle") is not None


def is_calibrated(space: EmbeddingSpace | None, reranker: str) -> bool:
    """By `calibrate`, or by the program's own fit: that one holds where no model takes part."""
    shipped = not compares_meaning(space) and reranker in shipped_calibrations()
    return shipped or own_calibration(space, reranker) is not None


def shipped_calibration(reranker: str) -> Calibration:
    """For spaces that do not compare meaning; a reranker without one has that of passages nobody reranked."""
    fitted = shipped_calibrations()
    return fitted.get(reranker, fitted["none"])


@lru_cache(maxsize=1)
def shipped_calibrations() -> dict[str, Calibration]:
    content = json.loads(SHIPPED.read_text(encoding="utf-8"))
    return {reranker: from_stored(stored) for reranker, stored in content["rerankers"].items()}


def logistic(value: float) -> float:
    """1 / (1 + e^-value), without overflow."""
    return 1 / (1 + math.exp(-value)) if value >= 0 else 1 - 1 / (1 + math.exp(value))
