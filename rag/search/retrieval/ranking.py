"""What one search returns: chunks with scores, best first."""

from collections.abc import Sequence
from typing import NamedTuple


class Hit(NamedTuple):
    """A chunk with its score in one leg. `part` 0: the whole chunk, n: its n-th sentence; `path`: the names that led
    there.
    """

    chunk_id: int
    score: float
    part: int = 0
    path: tuple[str, ...] = ()


Ranking = Sequence[Hit]
