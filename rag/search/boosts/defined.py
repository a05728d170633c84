"""A lift for passages that say what a thing is, where that is asked: "co to jest PSZOK"."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from rag.search.boosts.known_scores import has_known_scores, lifted
from rag.search.context import SearchContext
from rag.search.reading.pieces import pieces_of, unmarked
from rag.types import Boost, Passage
from rag.understanding.defining import defines, thing_to_define
from rag.understanding.expected import expected

LIFT = 4.5
"""In points of the reranker `features`: whatever speaks of a thing has its word, and mostly more often."""

_MOST = 30  # passages that are read


class DefinedFirst:
    """Lifts passages by how well a sentence, an item or a row of them says what the thing is that is asked about.

    Only scores of the reranker `features` mean the same for every question, so others stay.
    """

    name = "defined"

    def apply(self, search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
        thing = thing_to_define(search.query.text) if expected(search.query.text).definition else frozenset()
        if not thing or len(passages) < 2 or not has_known_scores(search, passages[0]):
            return list(passages)
        read = [_lifted(passage, LIFT * _defines(passage, thing)) for passage in passages[:_MOST]]
        search.note(self.name, " ".join(sorted(thing)), applied=True)
        return sorted([*read, *passages[_MOST:]], key=lambda passage: -passage.score)


def _defines(passage: Passage, thing: frozenset[str]) -> float:
    pieces = (piece for piece in pieces_of(passage.text, passage=0) if piece.kind != "code")
    return max((defines(unmarked(piece), thing) for piece in pieces), default=0.0)


def _lifted(passage: Passage, value: float) -> Passage:
    if not value:
        return passage
    return lifted(passage, Boost(name=DefinedFirst.name, value=value, reason=_("It says what that is")))
