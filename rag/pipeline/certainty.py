"""How sure an answer is that no language model has read: answered, not certain, or not found.

The limits are provisional. On 192 everyday questions (docs/benchmarks.md) neither relevance nor confidence tells right
answers from wrong ones, so what lies in between is shown as what it is: the nearest passages.
"""

from collections.abc import Sequence

from rag.presets import Preset
from rag.types import Outcome, Passage, Verification
from rag.verification.confidence import LOW


def certainty(passages: Sequence[Passage], preset: Preset, verification: Verification | None = None) -> Outcome:
    """Of an answer that rules make of `passages`; `verification` is there once it is written."""
    best = max((passage.relevance for passage in passages), default=0.0)
    if not passages or best < preset.min_relevance:
        return "not_found"
    doubtful = verification is not None and verification.confidence < LOW
    return "not_certain" if doubtful or best < preset.certain_relevance else "answered"
