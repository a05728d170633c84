"""What is in force goes before what is not by its document's own words."""

import re
from collections.abc import Sequence

from django.utils.translation import gettext as _

from rag.search.boosts.known_scores import has_known_scores, lifted
from rag.search.context import SearchContext
from rag.types import Boost, Passage

FALL = 1.0
"""In points of the reranker `features`: two wordings of a rule are seldom farther apart (docs/benchmarks.md)."""

_REWORDED = 0.4  # of the words of the shorter one are in the other: one took the other's place (docs/benchmarks.md)
_FEWEST = 15  # words in which a rule can be told again
_WORD = re.compile(r"\w{3,}")


class InForceFirst:
    """Leaves out the passages of a document that is not in force today where another has one of its rules in today's
    wording, and lowers others that are not by FALL; unless another time is asked about.

    Only scores of the reranker `features` mean the same for every question, so others stay.
    """

    name = "in_force"

    def apply(self, search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
        today = not (search.filters.names_a_time or search.filters.include_expired)
        held = [passage for passage in passages if passage.held]
        if not (today and held):
            return list(passages)
        in_force = [_words(passage) for passage in passages if not passage.held]
        replaced = {passage.document_id for passage in held if _is_reworded(_words(passage), in_force)}
        kept = [passage for passage in passages if passage.document_id not in replaced]
        search.note(self.name, str(len(held)), applied=True)
        if not has_known_scores(search, kept[0]):
            return kept
        boost = Boost(name=self.name, value=-FALL, reason=_("Its document says that it is not in force today"))
        ordered = [lifted(one, boost) if one.held else one for one in kept]
        return sorted(ordered, key=lambda passage: -passage.score)


def _words(passage: Passage) -> set[str]:
    return set(_WORD.findall(passage.text.lower()))


def _is_reworded(words: set[str], others: Sequence[set[str]]) -> bool:
    shorter = ((min(len(words), len(other)), len(words & other)) for other in others)
    return any(size >= _FEWEST and common >= _REWORDED * size for size, common in shorter)
