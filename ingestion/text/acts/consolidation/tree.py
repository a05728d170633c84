"""The text of an act as a tree of its units, in which single ones can be replaced, added and repealed."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from ingestion.text.acts.statutes.labels import citation, keys
from ingestion.text.acts.statutes.units import StatuteUnit, read_units

_OPENING = re.compile(r"[\s#*_>\\-]*(?:(?:Art\.|§)\s?\S+?\.?(?=\s)|\S+?[.)](?=\s))")
_WIDEST = re.compile(r"(?P<sign>Art\.\s?|§\s?)(?P<number>\d\S*?)(?P<stop>\.?)(?=\s)")
_TRAILING = re.compile(r"\s*\Z")


@dataclass(slots=True, kw_only=True)
class ActNode:
    """A unit: what stands before its first part, and its parts. `unit` is "" for what stands outside all units.

    `changes` are the numbers of the changes that touched it or its words, or could not be made in it.
    """

    unit: str = ""
    head: str = ""
    parts: list["ActNode"] = field(default_factory=list)
    changes: list[int] = field(default_factory=list)

    @property
    def text(self) -> str:
        return self.head + "".join(part.text for part in self.parts)

    def __iter__(self) -> Iterator["ActNode"]:
        """Itself and all that it has, in the order of the text."""
        yield self
        for part in self.parts:
            yield from part

    def replace_text(self, text: str, *, parts: list["ActNode"] | None = None) -> None:
        """Let it say `text`, which is divided into `parts` where they are known; the blank space behind it stays."""
        behind = _TRAILING.search(self.text)
        self.head, self.parts = ("", parts) if parts else (text, [])
        last = [*self][-1]
        last.head = last.head.rstrip() + (behind.group() if behind else "")


def read_tree(text: str) -> ActNode:
    """The whole text; a root whose parts are units, or stand outside them."""
    units = read_units(text)
    root = ActNode(head=text[: units[0].start] if units else text)
    ends = [*(unit.start for unit in units[1:]), len(text)][: len(units)]
    path: list[tuple[StatuteUnit | None, ActNode]] = [(None, root)]
    for unit, end in zip(units, ends, strict=True):
        node = ActNode(unit=unit.citation, head=text[unit.start : end])
        while len(path) > 1 and not _contains(path[-1][0], unit):
            path.pop()
        path[-1][1].parts.append(node)
        if unit.chain:
            path.append((unit, node))
    return root


def parts_of_wording(wording: str, unit: str) -> list[ActNode]:
    """The new text of an article or a paragraph as its tree; [] where it is no such text.

    Units are known by their sequence, so it is read as the first of an act and called by its own number then.
    """
    begin = _WIDEST.match(wording)
    if begin is None:
        return []
    first = f"{begin['sign']}1{begin['stop']}"
    tree = read_tree(first + wording[begin.end() :])
    whole = [part for part in tree.parts if part.unit]
    if tree.head.strip() or len(whole) != 1:
        return []
    called = whole[0].unit
    for node in whole[0]:
        node.unit = unit + node.unit.removeprefix(called)
    whole[0].head = begin.group() + whole[0].head[len(first) :]
    return whole


def opening_of(node: ActNode) -> str:
    """How a unit begins: "§ 6.", "2.", "1)"."""
    found = _OPENING.match(node.text)
    return found.group() if found else node.unit


def find_units(root: ActNode, unit: str) -> list[ActNode]:
    """All that are called so; in an annex numbers begin anew."""
    return [node for node in root if node.unit == unit]


def place_of(parts: list[ActNode], unit: str) -> int | None:
    """Where among `parts` a new unit belongs by its number; None where none of them is of its level."""
    level, number = unit.rsplit(" ", 2)[-2:]
    peers = [
        (index, part.unit.rsplit(" ", 1)[-1])
        for index, part in enumerate(parts)
        if part.unit and part.unit.rsplit(" ", 2)[-2] == level
    ]
    if not peers:
        return None
    before = [index for index, label in peers if keys(label)[0] < keys(number)[0]]
    return before[-1] + 1 if before else peers[0][0]


def _contains(above: StatuteUnit | None, unit: StatuteUnit) -> bool:
    return above is None or (
        len(unit.chain) > len(above.chain) and citation(unit.chain[: len(above.chain)]) == above.citation
    )
