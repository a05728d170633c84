"""The corpus vocabulary as one viewer sees it: only words of the collections that are searched exist in it."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True, kw_only=True)
class VocabularyTerm:
    """A word with the number of chunks it stands in, as a lemma and as a form."""

    id: int
    text: str
    folded: str
    lemma_chunks: int
    form_chunks: int


class Vocabulary:
    """Look-ups in the words of `collection_ids`; one query each, two where some are `guarded`.

    Of these no number is known (see `rag.search.query.privacy_guard`), so it has neither a place nor a count there.
    """

    def __init__(self, collection_ids: Sequence[int], guarded: Collection[int] = ()) -> None:
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
        near = [term for term in self._select("t.deletions && %s::varchar[]", sorted(shortened)) if term.form_chunks]
        return {word: _likeliest_first(plain, near) for word, plain in folded.items()}

    def _select(self, condition: str, words: list[str]) -> list[VocabularyTerm]:
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


def _likeliest_first(folded: str, near: Iterable[VocabularyTerm]) -> list[VocabularyTerm]:
    candidates = [term for term in near if within_one_edit(folded, term.folded)]
    return sorted(candidates, key=lambda term: (-likelihood(folded, term.folded, term.form_chunks), term.text))
