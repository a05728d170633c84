"""Something a text names."""

from typing import NamedTuple


class Named(NamedTuple):
    """Characters [start, end) name what `key` stands for: one key a thing, in every inflection. `name` is as shown.

    A tuple, because indexing makes dozens a chunk.
    """

    key: str
    name: str
    kind: str
    start: int
    end: int
