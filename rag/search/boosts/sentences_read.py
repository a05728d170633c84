"""A lift for passages with a sentence that answers, as a model tells which reads the question together with it."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from ingestion.text.meaning.vocabulary import meaning_of_text
from rag.search.boosts.known_scores import has_known_scores, lifted
from rag.search.context import SearchContext
from rag.search.reading.cross_encoder import cross_encoder
from rag.search.reading.pieces import framed, pieces_of
from rag.types import Boost, Passage

LIFT = 0.7
"""In points of the reranker `features` for a nat: where the first passage is most often the right one
(docs/benchmarks.md).
"""

_PASSAGES = 8  # the first, which are put in order
_PIECES = 4  # of each, those that mean what is nearest to the question: half a millisecond each
_LEAST = -8.0  # nats: what is less likely is as unlikely


class SentencesRead:
    """Lifts the first passages by the log-odds of their best sentence, item or row (`CrossEncoder`).

    It takes as long as a search, so it is for who waits for an answer. Only scores of the reranker `features` mean the
    same for every question, so the passages of others stay.
    """

    name = "sentences_read"

    def apply(self, search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
        first = passages[:_PASSAGES]
        if len(first) < 2 or not has_known_scores(search, first[0]):
            return list(passages)
        read = _best_of_each(search.query.spelt(search.query.text), first)
        ordered = [_lifted(passage, LIFT * (best - min(read))) for passage, best in zip(first, read, strict=True)]
        search.note(self.name, str(len(first)), applied=True)
        return [*sorted(ordered, key=lambda passage: -passage.score), *passages[_PASSAGES:]]


def _best_of_each(question: str, passages: Sequence[Passage]) -> list[float]:
    """In nats, from `_LEAST`."""
    asked = meaning_of_text(question)
    owners, pieces = list[int](), list[tuple[str, str]]()
    for number, passage in enumerate(passages):
        shown = [framed(piece, passage) for piece in pieces_of(passage.text, passage=number) if piece.kind != "code"]
        nearest = sorted(shown, key=lambda one: -float(asked @ meaning_of_text(one[1])))[:_PIECES]
        owners += [number] * len(nearest)
        pieces += nearest
    best = [_LEAST] * len(passages)
    for owner, value in zip(owners, cross_encoder().log_odds(question, pieces), strict=True):
        best[owner] = max(best[owner], value)
    return best


def _lifted(passage: Passage, value: float) -> Passage:
    if not value:
        return passage
    boost = Boost(name=SentencesRead.name, value=value, reason=_("A sentence of it seems to answer"))
    return lifted(passage, boost)
