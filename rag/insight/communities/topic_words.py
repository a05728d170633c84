"""What the documents of a collection are about: their telling words and the names in them, by document."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np
from django.db import connection
from numpy.typing import NDArray
from scipy.sparse import csr_array

from ingestion.text.index_format.word_sequences import WordsInOrder
from ingestion.text.morphology.stop_words import STOP_WORDS
from rag.search.retrieval.filters import named
from rag.search.retrieval.groups import searched_today

_WORDS_KEPT = 60  # of a document, the most telling; more of them make a long document near to all
_COMMON = 0.5  # a word of more than half of the documents tells nothing
_NAMES = 0.5  # of the weight of words: names follow offices and people more than topics
_ROWS = 50_000  # fetched at once

_WORDS = """
SELECT c.document_id, w.terms FROM ingestion_chunk c
JOIN ingestion_document d ON d.id = c.document_id
JOIN ingestion_chunkwords w ON w.chunk_id = c.id
WHERE c.collection_id = %(collection)s AND {condition}
ORDER BY c.document_id
"""
_TELLING = """
SELECT id FROM ingestion_term t
WHERE id = ANY(%s) AND length(t.text) > 2 AND t.text !~ '[0-9]' AND t.text <> ALL(%s)
"""
_MENTIONS = """
SELECT c.document_id, m.entity_id, sum(m.count) FROM ingestion_chunk c
JOIN ingestion_document d ON d.id = c.document_id
JOIN ingestion_entitymention m ON m.chunk_id = c.id
WHERE c.collection_id = %(collection)s AND {condition}
GROUP BY c.document_id, m.entity_id
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    """Row i is `documents[i]`, a column of `counts` and `words` one of `terms`. `words` and `names` are TF-IDF, their
    rows of length 1 or 0.

    `documents` are sorted, so that nothing rests on the order in which they came.
    """

    documents: Sequence[int]
    terms: NDArray[np.int64]
    counts: csr_array
    words: csr_array
    names: csr_array

    @property
    def together(self) -> csr_array:
        from scipy.sparse import hstack

        return csr_array(hstack([self.words, _NAMES * self.names]))


def read_corpus(collection_id: int) -> Corpus:
    """The words of the documents of the collection that are ready and in force."""
    words, names = _read_words(collection_id), _read_names(collection_id)
    documents = np.unique(words[0])
    names = names[:, np.isin(names[0], documents)]
    terms, counts = _counted(documents, words)
    return Corpus(
        documents=documents.tolist(),
        terms=terms,
        counts=counts,
        words=_most_telling(_weighted(counts)),
        names=_unit(_weighted(_counted(documents, names)[1])),
    )


def _read_words(collection_id: int) -> NDArray[np.int64]:
    """Three rows: document, lemma, count; without words that are no topic's."""
    pieces = [np.zeros((3, 0), dtype=np.int64)]
    for document, chunks in groupby(_rows(_WORDS, collection_id), key=itemgetter(0)):
        lemmas = np.concatenate([WordsInOrder.unpacked(terms).lemmas for _, terms in chunks])
        found, counts = np.unique(lemmas, return_counts=True)
        pieces.append(np.array([np.full(len(found), document), found, counts], dtype=np.int64))
    words = np.hstack(pieces)
    with connection.cursor() as cursor:
        cursor.execute(_TELLING, [np.unique(words[1]).tolist(), sorted(STOP_WORDS)])
        telling = [term for (term,) in cursor.fetchall()]
    return words[:, np.isin(words[1], telling)]


def _read_names(collection_id: int) -> NDArray[np.int64]:
    """Three rows: document, name, count."""
    return np.array(list(_rows(_MENTIONS, collection_id)), dtype=np.int64).reshape(-1, 3).T


def _rows(query: str, collection_id: int) -> Iterator[tuple[Any, ...]]:
    sql, parameters = named(searched_today())
    with connection.cursor() as cursor:
        cursor.execute(query.format(condition=sql), {"collection": collection_id, **parameters})
        while rows := cursor.fetchmany(_ROWS):
            yield from rows


def _counted(documents: NDArray[np.int64], read: NDArray[np.int64]) -> tuple[NDArray[np.int64], csr_array]:
    """The words or names that the columns are, and the counts."""
    keys, columns = np.unique(read[1], return_inverse=True)
    rows = np.searchsorted(documents, read[0])
    return keys, csr_array((read[2].astype(np.float64), (rows, columns)), shape=(len(documents), len(keys)))


def _weighted(counts: csr_array) -> csr_array:
    """(1 + ln tf) x idf; without what stands in one document alone, which brings it near to nobody."""
    total = max(1, counts.shape[0])
    frequency = counts.count_nonzero(axis=0)
    idf = np.log(total / np.maximum(1, frequency))
    idf[(frequency < 2) | (frequency > max(2, _COMMON * total))] = 0.0
    weighted = counts.copy()
    weighted.data = (1 + np.log(weighted.data)) * idf[weighted.indices]
    weighted.eliminate_zeros()
    return weighted


def _most_telling(matrix: csr_array) -> csr_array:
    for row in range(matrix.shape[0]):
        weights = matrix.data[matrix.indptr[row] : matrix.indptr[row + 1]]
        if len(weights) > _WORDS_KEPT:
            weights[weights < np.partition(weights, -_WORDS_KEPT)[-_WORDS_KEPT]] = 0.0
    matrix.eliminate_zeros()
    return _unit(matrix)


def _unit(matrix: csr_array) -> csr_array:
    lengths = np.sqrt(matrix.multiply(matrix).sum(axis=1))
    return csr_array(matrix.multiply(1 / np.maximum(lengths, 1e-12)[:, None]))
