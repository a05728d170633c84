"""A synonym may bring a passage in, but never above one that has every word the reader typed."""

from collections.abc import Sequence
from dataclasses import replace

from ingestion.text.analyser import Word
from rag.search.context import SearchContext
from rag.search.query.terms import QueryTerm
from rag.types import Passage


class TypedWordsFirst:
    """Leaves the order as it is, but passages without any typed word go below the last one that has them all."""

    name = "typed_words"

    def apply(self, search: SearchContext, passages: Sequence[Passage]) -> list[Passage]:
        if not search.query.alternatives:
            return list(passages)
        shares = [_share_typed(search.query.terms, words) for words, _ in search.words.asked(passages)]
        last_full = max((place for place, share in enumerate(shares) if share == 1.0), default=-1)
        head, tail = list(zip(passages, shares, strict=True))[: last_full + 1], passages[last_full + 1 :]
        typed = [passage for passage, share in head if share > 0]
        foreign = [
            replace(passage, score=min(passage.score, passages[last_full].score))
            for passage, share in head
            if not share
        ]
        return [*typed, *foreign, *tail]


def _share_typed(terms: Sequence[QueryTerm], words: Sequence[Word]) -> float:
    present = {text for word in words for text in word}
    found = sum(any({reading.form, reading.lemma} & present for reading in term.readings) for term in terms)
    return found / max(1, len(terms))
