"""What SGJP says of a word form, read from Morfeusz in a third of the time that its own wrapper takes.

The wrapper makes a Python string of every tag and label of every reading anew; there are some thousand different ones,
by number. Kinds of names and the numbers of nodes are all else that is asked for.
"""

import threading
from typing import Any, NamedTuple

import morfeusz2


class SgjpReading(NamedTuple):
    """`base` as SGJP writes it, without the number of its homonym; `names`: which kinds of names it is."""

    base: str
    tag: str
    names: tuple[str, ...]


class Sgjp:
    """Thread-safe: Morfeusz keeps its state in the object."""

    def __init__(self) -> None:
        self._morfeusz: Any = morfeusz2.Morfeusz(generate=False)._morfeusz_obj
        self._lock = threading.Lock()
        self._tags: dict[int, str] = {}
        self._names: dict[int, tuple[str, ...]] = {}

    def readings(self, form: str) -> list[SgjpReading]:
        """In SGJP's order; none where Morfeusz splits the word or does not know it."""
        with self._lock:
            found = list(self._morfeusz.analyse(form))
            if len({(one.startNode, one.endNode) for one in found}) != 1:
                return []
            read = [(one._lemma, self._tag(one), self._kinds(one)) for one in found]
        return [
            SgjpReading(str(base).split(":")[0], tag, names) for base, tag, names in read if not tag.startswith("ign")
        ]

    def _tag(self, one: Any) -> str:
        if (tag := self._tags.get(one.tagId)) is None:
            tag = self._tags[one.tagId] = str(one.getTag(self._morfeusz))
        return tag

    def _kinds(self, one: Any) -> tuple[str, ...]:
        if (names := self._names.get(one.nameId)) is None:
            names = self._names[one.nameId] = tuple(one.getName(self._morfeusz))
        return names
