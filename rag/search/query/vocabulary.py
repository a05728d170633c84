"""The corpus vocabulary as one viewer sees it: only words of what the viewer may read of the collections searched exist
in it. How many chunks have such a word, all documents of the collections tell.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ingestion.selectors.clearance import UNCLEARED, Clearance
from ingestion.selectors.postings import postings_of
from ingestion.text.diacritics import fold
from ingestion.text.spelling import deletions, likelihood, within_one_edit
from knowledgetree.postgres.prepared_statements import fetch
from rag.search.query.privacy_guard import may_be_hidden

# Summed by term: joined, the planner would read all statistics for the thousands of terms that it expects to be alike.
_COUNTED = """
SELECT t.text, t.folded, t.id, s.lemmas, s.forms
FROM ingestion_term t CROSS JOIN LATERAL (
    SELECT sum(lemma_chunks) AS lemmas, sum(form_chunks) AS forms FROM ingestion_termstatistics
    WHERE term_id = t.id AND collection_id = ANY(%s)
) s
WHERE {condition} AND (s.lemmas > 0 OR s.forms > 0)
"""
_READABLE = """
SELECT DISTINCT asked.term FROM unnest(%s::int[], %s::int[]) AS asked(term, chunk)
JOIN ingestion_chunk c ON c.id = asked.chunk
JOIN ingestion_document d ON d.id = c.document_id
WHERE c.enabled AND {readable}
"""
_FIRST = 50  # chunks of each word; where none of them may be read, all the others are looked at


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
        return {term.text: term for term in self._select("t.text = ANY(%s)", sorted(set(words)))}

    def without_diacritics(self, words: Iterable[str]) -> dict[str, list[VocabularyTerm]]:
        """The terms that look like each word once both lose their diacritics, most frequent first."""
        found: dict[str, list[VocabularyTerm]] = {}
        for term in self._select("t.folded = ANY(%s)", sorted({fold(word) for word in words})):
            found.setdefault(term.folded, []).append(term)
        return {key: sorted(terms, key=_frequency, reverse=True) for key, terms in found.items()}

    def one_edit_away(self, words: Iterable[str]) -> dict[str, list[VocabularyTerm]]:
        """For each word the forms one typing error away from it, diacritics aside; the likeliest first.

        Letters that are only out of order or missing are likelier than a wrong one, and frequent words than rare ones.
        """
        folded = {word: fold(word) for word in words}
        shortened = {shorter for word in folded.values() for shorter in deletions(word)}
        alike = self._counted("t.deletions && %s::varchar[]", sorted(shortened))
        near = self._readable([term for term in alike if term.form_chunks and _is_near(term, folded.values())])
        return {word: _likeliest_first(plain, near) for word, plain in folded.items()}

    def _select(self, condition: str, words: list[str]) -> list[VocabularyTerm]:
        return self._readable(self._counted(condition, words))

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
        readable, own = self._clearance.sql()
        left = {term: postings.chunks for term, postings in postings_of(terms, keys).items()}
        if (few := self._clearance.few) is not None:
            return {term for term, chunks in left.items() if np.isin(chunks, few).any()}
        found = set[int]()
        for part in (slice(_FIRST), slice(_FIRST, None)):
            pairs = [(term, chunk) for term, chunks in left.items() for chunk in chunks[part].tolist()]
            if pairs:
                asked = [list(column) for column in zip(*pairs, strict=True)]
                found |= {term for (term,) in fetch(_READABLE.format(readable=readable), [*asked, *own])}
            left = {term: chunks for term, chunks in left.items() if term not in found}
        return found

    def _counted(self, condition: str, words: list[str]) -> list[VocabularyTerm]:
        hidden = [word for word in words if may_be_hidden(word)] if self._open_ids != self._collection_ids else []
        asked = [
            (self._collection_ids, [word for word in words if word not in hidden] if hidden else words),
            (self._open_ids, hidden),
        ]
        sql = _COUNTED.format(condition=condition)
        rows = [row for keys, some in asked if keys and some for row in fetch(sql, [keys, some])]
        return [
            VocabularyTerm(id=pk, text=text, folded=folded, lemma_chunks=lemmas, form_chunks=forms)
            for text, folded, pk, lemmas, forms in rows
        ]


def _frequency(term: VocabularyTerm) -> int:
    return term.form_chunks + term.lemma_chunks


def _is_near(term: VocabularyTerm, folded: Iterable[str]) -> bool:
    return any(within_one_edit(word, term.folded) for word in folded)


def _likeliest_first(folded: str, near: Iterable[VocabularyTerm]) -> list[VocabularyTerm]:
    candidates = [term for term in near if within_one_edit(folded, term.folded)]
    return sorted(candidates, key=lambda term: (-likelihood(folded, term.folded, term.form_chunks), term.text))
