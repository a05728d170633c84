"""Words as people ask organisations, offices, firms, clinics, and as they ask about anything else in the world."""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np

SHIPPED = Path(__file__).with_name("usual_words.txt")

_MOSTLY = 0.7  # of the questions that are answered and those that are not, in the middle; so is one in another language
_SHARP = 2.0  # nats, by which the sum is divided: words of a question are not independent


def usualness(lemmas: Iterable[str]) -> float:
    """How likely a question with these words is one to an organisation, in (0, 1). Unknown ones tell nothing."""
    known = _weights().keys() & lemmas
    return float(1 / (1 + np.exp(-sum(map(_weights().__getitem__, known)) / _SHARP))) if known else _MOSTLY


@lru_cache(maxsize=1)
def _weights() -> Mapping[str, float]:
    """By lemma, in nats. Made by `benchmarks/usual_words.py`."""
    lines = SHIPPED.read_text(encoding="utf-8").splitlines()
    entries = (line.split("\t") for line in lines if not line.startswith("#"))
    return {lemma: float(weight) for lemma, weight in entries}
