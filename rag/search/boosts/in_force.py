"""What is in force goes before what is not by its document's own words."""

import re
from collections.abc import Sequence

from django.utils import timezone
from django.utils.translation import gettext as _

from rag.search.boosts.known_scores import has_known_scores, lifted
from rag.search.context import SearchContext
from rag.types import Boost, Passage
from rag.understanding.asked_time import other_years

FALL = 1.0
"""In points of the reranker `features`: two wordings of a rule are seldom farther apart (docs/benchmarks.md)."""

_REWORDED = 0.4  # of the words of the shorter one are in the other: one took the other's place (docs/benchmarks.md)
_FEWEST = 15  # words in which a rule can be told again
_WORD = re.compile(r"\w{3,}")


class InForceFirst:
    """Lowers passages that are not in force today by FALL, unless another time or a year is asked about. For an answer
    (`leaves_out`) those of a document go altogether, where another has one of its rules in today's wording.

    Only scores of the reranker `features` mean the same for every question, so others stay.
    """

    name = "in_force"

    def __init__(self, *, leaves_out: bool) -> None:
        self._leaves_out = leaves_out

    def apply(self, search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
        held = [passage for passage in passages if passage.held]
        if not held or _asks_about_another_time(search):
            return list(passages)
        replaced = _replaced(held, passages) if self._leaves_out else set()
        kept = [passage for passage in passages if passage.document_id not in replaced]
        search.note(self.name, str(len(held)), applied=True)
        if not has_known_scores(search, kept[0]):
            return kept
        boost = Boost(name=self.name, value=-FALL, reason=_("Its document says that it is not in force today"))
        ordered = [lifted(one, boost) if one.held else one for one in kept]
        return sorted(ordered, key=lambda passage: -passage.score)


def _asks_about_another_time(search: SearchContext) -> bool:
    other = search.filters.names_a_time or search.filters.include_expired
    return other or bool(other_years(search.query.text, today=timezone.localdate()))


def _replaced(held: Sequence[Passage], passages: Sequence[Passage]) -> set[int]:
    """The documents of which a passage that is in force says a rule anew."""
    in_force = [_words(passage) for passage in passages if not passage.held]
    return {passage.document_id for passage in held if _is_reworded(_words(passage), in_force)}


def _words(passage: Passage) -> set[str]:
    return set(_WORD.findall(passage.text.lower()))


def _is_reworded(words: set[str], others: Sequence[set[str]]) -> bool:
    shorter = ((min(len(words), len(other)), len(words & other)) for other in others)
    return any(size >= _FEWEST and common >= _REWORDED * size for size, common in shorter)
