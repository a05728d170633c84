"""What was worked out before, by its text."""

from collections.abc import Callable, Mapping
from typing import TypeVar

V = TypeVar("V")


class Memory(dict[str, V]):
    """`memory[text]` is `find(text)`, found once. Beyond `size` texts it forgets all and begins anew.

    Unlike `lru_cache` it says what it knows, and can be told. Thread-safe: at worst two threads find the same.
    """

    def __init__(self, find: Callable[[str], V], *, size: int) -> None:
        self._find = find
        self._size = size

    def __missing__(self, text: str) -> V:
        found = self._find(text)
        self.learn({text: found})
        return found

    def learn(self, found: Mapping[str, V]) -> None:
        if len(self) >= self._size:
            self.clear()
        self.update(found)
