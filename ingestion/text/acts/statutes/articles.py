"""The articles of an act as trees of their units; together they cover the whole text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ingestion.text.acts.statutes.labels import UnitLevel, citation
from ingestion.text.acts.statutes.markers import MAX_TITLE
from ingestion.text.acts.statutes.units import StatuteUnit


@dataclass(slots=True, kw_only=True)
class UnitNode:
    """Characters [start, end) of a unit with the units in it; the headings right above an article belong to it.

    Without a `chain` it is what stands outside all articles: a preamble, a table of contents, an annex.
    """

    start: int
    end: int
    level: UnitLevel = UnitLevel.ANNEX
    chain: tuple[tuple[UnitLevel, str], ...] = ()
    divisions: tuple[str, ...] = ()
    children: list["UnitNode"] = field(default_factory=list)

    @property
    def citation(self) -> str:
        return citation(self.chain)


def articles(text: str, units: Sequence[StatuteUnit]) -> list[UnitNode]:
    """The visible parts of `text` in order, each an article or what stands between two."""
    parts = list(_parts(units, len(text)))
    return [node for node in parts if text[node.start : node.end].strip()]


def group_citation(parent: UnitNode, group: Sequence[UnitNode]) -> str:
    """How neighbouring children of `parent` are cited together: "art. 5 ust. 1–3", or as the parent."""
    numbered = [node for node in group if len(node.chain) > len(parent.chain)]  # what closes an enumeration is not
    if not numbered:
        return parent.citation
    first, last = numbered[0], numbered[-1]
    if first.chain == last.chain:
        return first.citation
    if first.level != last.level or len(first.chain) != len(last.chain) or first.chain[:-1] != last.chain[:-1]:
        return parent.citation
    begin, end = first.chain[-1][1].partition("–")[0], last.chain[-1][1].rpartition("–")[2]
    return citation((*first.chain[:-1], (first.level, f"{begin}–{end}")))


def _parts(units: Sequence[StatuteUnit], length: int) -> Iterator[UnitNode]:
    position = 0  # up to where the text belongs to a part
    pending: int | None = None  # where the headings above the next article begin
    index = 0
    divisions: tuple[str, ...] = ()
    while index < len(units):
        unit = units[index]
        following = index + 1
        if unit.level < UnitLevel.ARTICLE:
            if pending is None or _is_no_heading(units, index - 1):
                yield UnitNode(start=position, end=unit.start, divisions=divisions)
                position = pending = unit.start
        else:
            while following < len(units) and units[following].chain and not units[following].is_widest:
                following += 1
            if pending is None or _is_no_heading(units, index - 1):
                yield UnitNode(start=position, end=unit.start, divisions=divisions)
                position = unit.start
            end = units[following].start if following < len(units) else length
            yield _tree(units[index:following], start=position, end=end)
            position, pending = end, None
        divisions = unit.divisions
        index = following
    yield UnitNode(start=position, end=length, divisions=divisions)


def _is_no_heading(units: Sequence[StatuteUnit], index: int) -> bool:
    """Whether a division has a text of its own, or stands in a list of divisions, so that it opens nothing."""
    unit, following = units[index], units[index + 1]
    return following.start - unit.start > MAX_TITLE or (
        following.level < UnitLevel.ARTICLE and following.level <= unit.level
    )


def _tree(units: Sequence[StatuteUnit], *, start: int, end: int) -> UnitNode:
    root = UnitNode(start=start, end=end, level=units[0].level, chain=units[0].chain, divisions=units[0].divisions)
    path = [root]
    for unit in units[1:]:
        while len(path) > 1 and path[-1].level >= unit.level:
            path.pop().end = unit.start
        node = UnitNode(start=unit.start, end=end, level=unit.level, chain=unit.chain, divisions=unit.divisions)
        path[-1].children.append(node)
        path.append(node)
    return root
