"""Worlds of everyday life that most libraries have nothing of: a question about one is not answered from outside it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from ingestion.text.analyser import analyser

_SHIPPED = Path(__file__).with_name("worlds.txt")
_LINE = re.compile(r"[^#(:]+(?:\((?P<treated>[^)]*)\))?: (?P<words>.+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """By lemma: `words` in a question say that it is about this world, `treated` that a text is, beside them."""

    words: frozenset[str]
    treated: frozenset[str]


@lru_cache(maxsize=1)
def worlds() -> tuple[World, ...]:
    """Those that are shipped. A word may belong to several."""
    lines = map(_LINE.fullmatch, _SHIPPED.read_text(encoding="utf-8").splitlines())
    return tuple(
        World(words=frozenset(_lemmas(line["words"])), treated=frozenset(_lemmas(line["treated"] or "")))
        for line in lines
        if line
    )


def is_outside(asked: frozenset[str], told: frozenset[str]) -> bool:
    """Whether words that are `asked` about are of a world of which nothing is `told`; both are lemmas."""
    about = [world for world in worlds() if world.words & asked]
    return bool(about) and not any((world.words | world.treated) & told for world in about)


def _lemmas(words: str) -> Iterator[str]:
    return (lemma for _, lemma in analyser().words(words))
