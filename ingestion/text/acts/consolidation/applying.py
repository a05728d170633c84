"""Orders carried out on the tree of an act. What is not certain is left undone and noted at its unit."""

import re
from collections.abc import Sequence

from ingestion.text.acts.consolidation.orders import Order
from ingestion.text.acts.consolidation.tree import (
    ActNode,
    find_units,
    opening_of,
    parts_of_wording,
    place_of,
)

_LEVELS = ("art.", "§", "ust.", "pkt", "lit.")


def apply_orders(root: ActNode, orders: Sequence[Order]) -> set[int]:
    """Carry out the `orders`, of which each is a number in that sequence, one after another; the numbers of those that
    could not be carried out with certainty. Either is noted at the unit, or the nearest one above it that is there.
    """
    undone: set[int] = set()
    for number, order in enumerate(orders):
        changed = _applied(root, order)
        if changed is None:
            undone.add(number)
            changed = _nearest(root, order.unit)
        changed.changes.append(number)
    return undone


def _applied(root: ActNode, order: Order) -> ActNode | None:
    """The unit that was changed; None where nothing was."""
    found = find_units(root, order.unit)
    if order.change == "added":
        return _add(root, order) if not found else None
    if len(found) != 1 or not order.is_plain:
        return None
    (node,) = found
    if order.change == "repealed":
        gone = "uchylona" if order.unit.rsplit(" ", 2)[-2] == "lit." else "uchylony"
        node.replace_text(f"{opening_of(node)} ({gone})")
        return node
    if order.change == "words":
        return node if order.words and _replace_words(node, order.words.old, order.words.new) else None
    if not _begins_as(order.wording, order.unit):
        return None
    whole = parts_of_wording(order.wording, order.unit)
    node.replace_text(order.wording, parts=whole[0].parts if whole and whole[0].parts else None)
    if whole and whole[0].parts:
        node.head = whole[0].head
    return node


def _add(root: ActNode, order: Order) -> ActNode | None:
    """Put the new unit where its number belongs, in the unit that is to have it."""
    *above, level, _ = order.unit.split(" ")
    holders = find_units(root, " ".join(above)) if above else [root]
    if len(holders) != 1 or not _begins_as(order.wording, order.unit):
        return None
    parts = holders[0].parts
    place = place_of(parts, order.unit)
    if place is None:
        return None
    # The blank space before a unit belongs to what stands before it.
    former = [*parts[place - 1]][-1] if place else holders[0]
    blank = re.search(r"\s*\Z", former.head)
    gap = blank.group() if blank and blank.group() else "\n\n" if level in ("art.", "§") else "\n"
    if not (blank and blank.group()):
        former.head += gap
    whole = parts_of_wording(order.wording, order.unit)
    node = whole[0] if whole else ActNode(unit=order.unit, head=order.wording)
    last = [*node][-1]
    last.head = last.head.rstrip() + gap
    parts.insert(place, node)
    return node


def _begins_as(wording: str, unit: str) -> bool:
    """Whether a new wording begins with the sign of the unit that it is for."""
    level, number = unit.rsplit(" ", 2)[-2:]
    own = re.escape(number)
    sign = {"art.": rf"Art\.\s?{own}\.?\s", "§": rf"§\s?{own}\.?\s", "ust.": rf"{own}\.\s"}
    return re.match(sign.get(level, rf"{own}\)\s"), wording) is not None


def _replace_words(node: ActNode, old: str, new: str) -> bool:
    """Whether `old` stood there once, as whole words, and says `new` now."""
    words = r"\s+".join(map(re.escape, old.split()))
    pattern = re.compile(rf"(?<!\w){words}(?!\w)")
    places = [(part, found) for part in node for found in pattern.finditer(part.head)]
    if len(places) != 1:
        return False
    part, found = places[0]
    before, behind = part.head[: found.start()], part.head[found.end() :]
    part.head = before.rstrip(" ") + behind if not new else before + new + behind
    return True


def _nearest(root: ActNode, unit: str) -> ActNode:
    """The narrowest unit that is there once and has the unit in it, else the whole."""
    steps = unit.split(" ")
    while steps:
        found = find_units(root, " ".join(steps))
        if len(found) == 1:
            return found[0]
        starts = [place for place, step in enumerate(steps) if step in _LEVELS]
        steps = steps[: starts[-1]] if starts else []
    return root
