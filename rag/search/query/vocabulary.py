"""The corpus vocabulary as one viewer sees it: only words of what the viewer may read of the collections searched exist
in it. How many chunks have such a word, all documents of the collections tell.
"""

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ingestion.selectors.clearance import UNCLEARED, Clearance, opening_in
from ingestion.selectors.opening import Opening
from ingestion.selectors.postings import postings_of
from ingestion.text.diacritics import fold
from ingestion.text.index_format.posting_lists import Postings
from ingestion.text.spelling import correctable, likelihood, neighbours, within_one_edit
from knowledgetree.postgres.prepared_statements import fetch
from rag.search.query.privacy_guard import may_be_hidden

# Summed by term: joined, the planner would read all statistics for the thousands of terms that it expects to be alike.
_COUNTED = """
SELECT t.text, t.folded, t.id, s.lemmas, s.forms
FROM ingestion_term t CROSS JOIN LATERAL (
    SELECT sum(lemma_chunks) AS lemmas, sum(form_chunks) AS forms FROM ingestion_termstatistics
    WHERE term_id = t.id AND collection_id = ANY(%s)
) s
WHERE {column} = ANY(%s) AND (s.lemmas > 0 OR s.forms > 0)
"""
_FIRST = 50  # chunks of each word; where none of them may be read, all are looked at
_MOST_KEPT, _MOST_TERMS = 100, 10_000
_known: dict[Hashable, set[int]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class VocabularyTerm:
    """A word with the number of chunks it stands in, as a lemma and as a form."""

    id: int
    text: str
    folded: str
    lemma_chunks: int
    form_chunks: int


class Vocabulary:
    """Look-ups in the words of `collection_ids`; one query each, two where some are `guarded`, one more where there are
    documents that `clearance` does not open.

    Of guarded ones no number is known (see `rag.search.query.privacy_guard`): it has neither a place nor a count there.
    """

    def __init__(
        self, collection_ids: Sequence[int], guarded: Collection[int] = (), *, clearance: Clearance = UNCLEARED
    ) -> None:
        self._clearance = clearance
        self._collection_ids = list(collection_ids)
        self._open_ids = [key for key in collection_ids if key not in guarded]

    def terms(self, words: Iterable[str]) -> dict[str, VocabularyTerm]:
        """The words that occur, by their text."""
        return {term.text: term for term in self._select("t.text", sorted(set(words)))}

    def without_diacritics(self, words: Iterable[str]) -> dict[str, list[VocabularyTerm]]:
        """The terms that look like each word once both lose their diacritics, most frequent first."""
        found: dict[str, list[VocabularyTerm]] = {}
        for term in self._select("t.folded", sorted({fold(word) for word in words})):
            found.setdefault(term.folded, []).append(term)
        return {key: sorted(terms, key=_frequency, reverse=True) for key, terms in found.items()}

    def one_edit_away(self, words: Iterable[str]) -> dict[str, list[VocabularyTerm]]:
        """For each word the forms one typing error away from it, diacritics aside; the likeliest first.

        Letters that are only out of order or missing are likelier than a wrong one, and frequent words than rare ones.
        """
        folded = {word: fold(word) for word in words}
        near = set[str]().union(*map(neighbours, folded.values()))
        alike = self._counted("t.folded", sorted(filter(correctable, near)))
        near_terms = self._readable([term for term in alike if term.form_chunks])
        return {word: _likeliest_first(plain, near_terms) for word, plain in folded.items()}

    def _select(self, column: str, words: list[str]) -> list[VocabularyTerm]:
        return self._readable(self._counted(column, words))

    def _readable(self, terms: list[VocabularyTerm]) -> list[VocabularyTerm]:
        """Those of `terms` that a chunk has which the viewer may read."""
        if not (terms and self._clearance.narrows):
            return terms
        hidden = {term.id for term in terms if may_be_hidden(term.text)}
        asked = [
            (self._collection_ids, [term.id for term in terms if term.id not in hidden]),
            (self._open_ids, list(hidden)),
        ]
        found = set[int]().union(*(self._with_readable_chunks(some, keys) for keys, some in asked if keys and some))
        return [term for term in terms if term.id in found]

    def _with_readable_chunks(self, terms: Sequence[int], keys: Sequence[int]) -> set[int]:
        opening = opening_in(self._clearance, self._collection_ids)
        open_terms = _open_terms(opening, keys)
        asked = [term for term in terms if term not in open_terms]
        beginnings = postings_of(asked, keys, first=_FIRST) if asked else {}
        found = _in_open_chunks(beginnings, opening)
        if left := [term for term, some in beginnings.items() if len(some.chunks) >= _FIRST and term not in found]:
            found |= _in_open_chunks(postings_of(left, keys), opening)
        open_terms |= found
        return found | open_terms.intersection(terms)

    def _counted(self, column: str, words: list[str]) -> list[VocabularyTerm]:
        hidden = [word for word in words if may_be_hidden(word)] if self._open_ids != self._collection_ids else []
        asked = [
            (self._collection_ids, [word for word in words if word not in hidden] if hidden else words),
            (self._open_ids, hidden),
        ]
        sql = _COUNTED.format(column=column)
        rows = [row for keys, some in asked if keys and some for row in fetch(sql, [keys, some])]
        return [
            VocabularyTerm(id=pk, text=text, folded=folded, lemma_chunks=lemmas, form_chunks=forms)
            for text, folded, pk, lemmas, forms in rows
        ]


def _open_terms(opening: Opening, keys: Sequence[int]) -> set[int]:
    """Terms of which it was found out, in this state of the collections, that whoever may read the same of them reads a
    chunk with them in one of `keys`.
    """
    state = opening.known.version, frozenset(opening.known.by_collection), frozenset(keys), opening.readerships
    if len(_known) > _MOST_KEPT or len(_known.get(state, ())) > _MOST_TERMS:
        _known.clear()
    return _known.setdefault(state, set())


def _in_open_chunks(postings: Mapping[int, Postings], opening: Opening) -> set[int]:
    """The terms that stand in a chunk which may be read."""
    if not postings:
        return set()
    terms = np.repeat(list(postings), [len(known.chunks) for known in postings.values()])
    opened = opening.opens(np.concatenate([known.chunks for known in postings.values()]))
    return set(terms[opened].tolist())


def _frequency(term: VocabularyTerm) -> int:
    return term.form_chunks + term.lemma_chunks


def _likeliest_first(folded: str, near: Iterable[VocabularyTerm]) -> list[VocabularyTerm]:
    candidates = [term for term in near if within_one_edit(folded, term.folded)]
    return sorted(candidates, key=lambda term: (-likelihood(folded, term.folded, term.form_chunks), term.text))
