"""A lift for passages with a sentence that answers, as a model tells which reads the question together with it."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from ingestion.text.meaning.vocabulary import meaning_of_text
from rag.search.boosts.known_scores import has_known_scores, lifted
from rag.search.context import SearchContext
from rag.search.reading.cross_encoder import cross_encoder
from rag.search.reading.pieces import framed, pieces_of
from rag.types import Boost, Passage

READ, MEANT, ABOVE = 0.35, 4.0, 1.5
"""In points of the reranker `features`: of a nat of the cross-encoder, and of the whole of a cosine, of the sentence
nearest to the question and of title and headings: where the right document is most often first (docs/benchmarks.md).
"""

_PASSAGES = 8  # the first, which are put in order
_PIECES = 4  # of each, those that mean what is nearest to the question: half a millisecond each
_LEAST = -8.0  # nats: what is less likely is as unlikely


class SentencesRead:
    """Lifts the first passages by their best sentence, item or row: by how likely it is to answer (`CrossEncoder`) and
    how near the nearest is to what the question means; and by how near title and headings are.

    It takes as long as a search, so it is for who waits for an answer. Only scores of the reranker `features` mean the
    same for every question, so the passages of others stay.
    """

    name = "sentences_read"

    def apply(self, search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
        first = passages[:_PASSAGES]
        if len(first) < 2 or not has_known_scores(search, first[0]):
            return list(passages)
        values = _values(search.query.spelt(search.query.text), first)
        ordered = [_lifted(passage, value - min(values)) for passage, value in zip(first, values, strict=True)]
        search.note(self.name, str(len(first)), applied=True)
        return [*sorted(ordered, key=lambda passage: -passage.score), *passages[_PASSAGES:]]


def _values(question: str, passages: Sequence[Passage]) -> list[float]:
    """What each passage is worth for the question, in points."""
    asked = meaning_of_text(question)
    values, owners, pieces = list[float](), list[int](), list[tuple[str, str]]()
    for number, passage in enumerate(passages):
        shown = [framed(piece, passage) for piece in pieces_of(passage.text, passage=number) if piece.kind != "code"]
        near = {one: float(asked @ meaning_of_text(one[1])) for one in shown}
        nearest = sorted(near, key=lambda one: -near[one])[:_PIECES]
        above = " ".join((passage.title, *passage.heading_path))
        values.append(MEANT * max(near.values(), default=0.0) + ABOVE * float(asked @ meaning_of_text(above)))
        owners += [number] * len(nearest)
        pieces += nearest
    best = [_LEAST] * len(passages)
    for owner, read in zip(owners, cross_encoder().log_odds(question, pieces), strict=True):
        best[owner] = max(best[owner], read)
    return [value + READ * read for value, read in zip(values, best, strict=True)]


def _lifted(passage: Passage, value: float) -> Passage:
    if not value:
        return passage
    boost = Boost(name=SentencesRead.name, value=value, reason=_("A sentence of it seems to answer"))
    return lifted(passage, boost)
