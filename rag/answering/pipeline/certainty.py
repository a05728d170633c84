"""How sure an answer is that no language model has read: answered, not certain, or not found.

The limits are provisional. On 192 everyday questions (docs/benchmarks.md) neither relevance nor confidence tells right
answers from wrong ones, so what lies in between is shown as what it is: the nearest passages.
"""

from collections.abc import Sequence

from rag.presets import Preset
from rag.types import Outcome, Passage


def certainty(passages: Sequence[Passage], preset: Preset) -> Outcome:
    """The certainty of an answer that rules make of `passages`."""
    best = max((passage.relevance for passage in passages), default=0.0)
    if not passages or best < preset.min_relevance:
        return "not_found"
    return "answered" if best >= preset.certain_relevance else "not_certain"
