"""Passages that say the same in the same words: the best stands for all of them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from django.utils.translation import ngettext

from rag.search.context import SearchContext
from rag.types import Passage

_WORD = re.compile(r"[^\W_]+")
# What turns one rule into another however much of the rest agrees: last year's fee is no copy of this year's.
_NEGATIONS = frozenset("nie bez ani oprócz prócz poza not no without except".split())
_SHORT = 20  # words; fewer take their meaning from the heading: "within 14 days" is another rule elsewhere

Pairs = frozenset[tuple[str, str]]


class Deduplication:
    """Puts passages alike above `preset.alike_above` under the best of them, of those that are in force where no other
    time is asked about; the order of the others stays.

    It runs before reranking, so that no reranker reads the same text twice and no copy takes another's place among
    those it reads.
    """

    name = "deduplication"

    def apply(self, search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
        if search.preset.alike_above >= 1:
            return list(passages)
        groups = grouped(passages, above=search.preset.alike_above)
        if hidden := len(passages) - len(groups):
            found = ngettext(
                "%(n)d passage says the same as a better one.", "%(n)d passages say the same as a better one.", hidden
            )
            search.note(self.name, found % {"n": hidden}, applied=True)
        return [_standing_for(group, in_force=not search.filters.names_a_time) for group in groups]


def grouped(passages: Sequence[Passage], *, above: float) -> list[list[Passage]]:
    """Groups in the order of their first passages, to which all others of the group are alike above `above`.

    Alike is the share of neighbouring words that two texts have in common (Jaccard, as in Broder 1997 with shingles of
    two words), where their numbers and negations are the same in the same order and, of short texts, the headings.
    """
    words = [_WORD.findall(passage.text.lower()) for passage in passages]
    comparable: dict[tuple[str, ...], list[int]] = {}
    for place, passage in enumerate(passages):
        comparable.setdefault(_decisive(passage, words[place]), []).append(place)
    leaders = {place: place for place in range(len(passages))}
    for places in comparable.values():
        if len(places) > 1:
            leaders |= _leaders({place: frozenset(pairwise(["", *words[place]])) for place in places}, above)
    groups: dict[int, list[Passage]] = {}
    for place, passage in enumerate(passages):
        groups.setdefault(leaders[place], []).append(passage)
    return list(groups.values())


def _leaders(pairs: Mapping[int, Pairs], above: float) -> dict[int, int]:
    """For each place that of the first passage it is alike to and that is alike to none before; else its own."""
    leaders: dict[int, int] = {}
    for place, own in pairs.items():
        first = (other for other in leaders if leaders[other] == other and _alike(own, pairs[other], above))
        leaders[place] = next(first, place)
    return leaders


def _decisive(passage: Passage, words: Sequence[str]) -> tuple[str, ...]:
    """What two passages must share in full to say the same."""
    headings = (passage.title, *passage.heading_path) if len(words) < _SHORT else ()
    return (*headings, *(word for word in words if word in _NEGATIONS or not word.isalpha()))


def _alike(pairs: Pairs, other: Pairs, above: float) -> bool:
    """Whether the Jaccard index exceeds `above`; sets of too different size are not compared."""
    small, large = sorted((len(pairs), len(other)))
    if not large or small <= above * large:
        return False
    common = len(pairs & other)
    return common > above * (small + large - common)


def _standing_for(group: Sequence[Passage], *, in_force: bool) -> Passage:
    best, *others = sorted(group, key=lambda one: in_force and one.held is not None)
    if not others:
        return best
    alike = (*best.explanation.alike, *(passage.chunk_id for passage in others))
    return replace(best, explanation=replace(best.explanation, alike=alike))
