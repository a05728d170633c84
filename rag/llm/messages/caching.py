"""What the provider is asked to keep: the beginning of a prompt that the next request repeats, for five minutes."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

MARK: Final = {"type": "ephemeral"}

WORTH_KEEPING = 3000
"""Characters. No provider keeps less than about 1,024 tokens, so that a short prompt needs no mark."""


def kept(system: str) -> list[dict[str, Any]]:
    """A system prompt that is kept, with the tools, which stand before it."""
    return [{"type": "text", "text": system, "cache_control": MARK}]


def kept_if_long(system: str) -> str | list[dict[str, Any]]:
    return kept(system) if len(system) >= WORTH_KEEPING else system


def kept_up_to_here(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """A conversation that is kept whole: its next turn begins with all that was said until now."""
    *earlier, last = (dict(message) for message in messages)
    *blocks, final = last["content"]
    return [*earlier, {**last, "content": [*blocks, {**final, "cache_control": MARK}]}]
