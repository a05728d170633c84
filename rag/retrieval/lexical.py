"""BM25 in PostgreSQL, over lemmas and over word forms, exact at every moment.

score(q, c) = sum over words t of q: w_lemma * idf_l(t) * tf_l / (tf_l + K) + w_form * idf_f(t) * tf_f / (tf_f + K)
with K = k1 * (1 - b + b * length / mean length) and idf = ln(1 + (N - df + 0.5) / (df + 0.5)): Lucene's variant
(Robertson and Zaragoza 2009; Kamphuis et al. 2020). N, df and the mean length are those of the collections searched.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from ingestion.models import Collection
from knowledgetree.conf import LexicalSettings
from rag.query.analysis import AnalysedQuery
from rag.retrieval.filters import Condition

# The inner query reads only the covering index. Rows reach the chunk and document tables in order of score, and only
# until `limit` of them pass the condition: a condition that most documents meet costs a handful of look-ups.
_SEARCH = """
SELECT ranked.chunk_id, ranked.score
FROM (
    SELECT p.chunk_id, sum(
        w.lemma_weight * q.lemma_idf * p.lemma_count / (p.lemma_count + %(a)s + %(s)s * p.length)
        + w.form_weight * q.form_idf * p.form_count / (p.form_count + %(a)s + %(s)s * p.length)
    ) AS score
    FROM unnest(%(terms)s::int[], %(lemma_idf)s::float8[], %(form_idf)s::float8[]) AS q(term_id, lemma_idf, form_idf)
    CROSS JOIN unnest(%(collections)s::int[], %(lemma_weights)s::float8[], %(form_weights)s::float8[])
        AS w(collection_id, lemma_weight, form_weight)
    JOIN ingestion_posting p ON p.term_id = q.term_id AND p.collection_id = w.collection_id
    GROUP BY p.chunk_id
    ORDER BY score DESC, p.chunk_id
) AS ranked
JOIN ingestion_chunk c ON c.id = ranked.chunk_id
JOIN ingestion_document d ON d.id = c.document_id
WHERE ranked.score > 0 AND {condition}
ORDER BY ranked.score DESC, ranked.chunk_id
LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusStatistics:
    """`chunks` searched and their mean `length` in words."""

    chunks: int
    mean_length: float

    def idf(self, chunks_with_term: int) -> float:
        return math.log(1 + (self.chunks - chunks_with_term + 0.5) / (chunks_with_term + 0.5))


def corpus_statistics(collection_ids: Sequence[int]) -> CorpusStatistics:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(sum(chunks), 0), coalesce(sum(words), 0) FROM ingestion_collectionstatistics "
            "WHERE collection_id = ANY(%s)",
            [list(collection_ids)],
        )
        chunks, words = cursor.fetchone()
    return CorpusStatistics(chunks=int(chunks), mean_length=float(words) / max(1, int(chunks)))


class LexicalRetriever:
    """BM25 over the postings of the given collections."""

    def __init__(self, settings: LexicalSettings) -> None:
        self._settings = settings

    def retrieve(
        self,
        query: AnalysedQuery,
        *,
        collections: Sequence[Collection],
        statistics: CorpusStatistics,
        condition: Condition,
        limit: int,
    ) -> list[tuple[int, float]]:
        """(chunk key, score) pairs, best first, at most `limit`, scores above 0."""
        idf = term_weights(query, statistics)
        if not idf or not collections or not statistics.chunks:
            return []
        scale = self._settings.k1 * self._settings.b / (statistics.mean_length or 1.0)
        parameters: dict[str, Any] = {
            "a": self._settings.k1 * (1 - self._settings.b),
            "s": scale,
            "limit": limit,
            "terms": list(idf),
            "lemma_idf": [lemma for lemma, _ in idf.values()],
            "form_idf": [form for _, form in idf.values()],
            "collections": [collection.pk for collection in collections],
            "lemma_weights": [collection.lemma_weight for collection in collections],
            "form_weights": [collection.form_weight for collection in collections],
        }
        sql, named = _named(condition)
        with connection.cursor() as cursor:
            cursor.execute(_SEARCH.format(condition=sql), parameters | named)
            return [(int(chunk), float(score)) for chunk, score in cursor.fetchall()]


def term_weights(query: AnalysedQuery, statistics: CorpusStatistics) -> dict[int, tuple[float, float]]:
    """For each term of the index its idf as a lemma and as a form, summed over the words of the question."""
    weights: dict[int, tuple[float, float]] = {}
    for term in query.terms:
        if term.lemma_term and term.lemma_term.lemma_chunks:
            lemma, form = weights.get(term.lemma_term.id, (0.0, 0.0))
            weights[term.lemma_term.id] = (lemma or statistics.idf(term.lemma_term.lemma_chunks), form)
        if term.form_term and term.form_term.form_chunks:
            lemma, form = weights.get(term.form_term.id, (0.0, 0.0))
            weights[term.form_term.id] = (lemma, form or statistics.idf(term.form_term.form_chunks))
    return weights


def _named(condition: Condition) -> tuple[str, dict[str, Any]]:
    """The condition with named parameters, as the query around it has them."""
    names = [f"c{i}" for i in range(len(condition.parameters))]
    sql = condition.sql
    for name in names:
        sql = sql.replace("%s", f"%({name})s", 1)
    return sql, dict(zip(names, condition.parameters, strict=True))


def chunk_counts(chunk_ids: Iterable[int], term_ids: Iterable[int]) -> dict[int, dict[int, tuple[int, int, int]]]:
    """For each chunk, by term: (lemma count, form count, length)."""
    counts: dict[int, dict[int, tuple[int, int, int]]] = {}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT chunk_id, term_id, lemma_count, form_count, length FROM ingestion_posting "
            "WHERE chunk_id = ANY(%s) AND term_id = ANY(%s)",
            [list(chunk_ids), list(term_ids)],
        )
        for chunk, term, lemmas, forms, length in cursor.fetchall():
            counts.setdefault(chunk, {})[term] = (lemmas, forms, length)
    return counts
