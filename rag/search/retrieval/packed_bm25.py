"""BM25 over packed posting lists: what frequent words add to thousands of chunks is computed here, in a millisecond.

The scores are those of `lexical`. PostgreSQL adds up what the lists lack: rarer words, newer chunks.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingestion.text.index_format.posting_lists import SIZE, Postings
from knowledgetree.postgres.prepared_statements import fetch
from rag.search.retrieval.filters import Condition, named

# One statement, so that lists and rows are of one moment: between two of them the lists may be packed anew.
_FOUND = """
WITH asked AS MATERIALIZED (
    SELECT q.*, k.packed_to, k.late, l.postings
    FROM unnest(%(terms)s::int[], %(collections)s::int[], %(lemma)s::float8[], %(form)s::float8[], %(quoted)s::bool[])
        AS q(term_id, collection_id, lemma, form, quoted)
    JOIN ingestion_collectionstatistics k USING (collection_id)
    LEFT JOIN ingestion_postinglist l USING (term_id, collection_id, packed_to)
), unpacked AS (
    SELECT p.chunk_id, p.lemma_count, p.form_count, p.length, a.lemma, a.form, a.quoted
    FROM asked a JOIN ingestion_posting p USING (term_id, collection_id)
    WHERE p.chunk_id > CASE WHEN a.postings IS NULL THEN 0 ELSE a.packed_to END
    UNION ALL
    SELECT p.chunk_id, p.lemma_count, p.form_count, p.length, a.lemma, a.form, a.quoted
    FROM asked a JOIN ingestion_posting p USING (term_id, collection_id)
    WHERE a.postings IS NOT NULL AND p.chunk_id <= a.packed_to AND p.chunk_id = ANY(a.late)
), scored AS (
    SELECT p.chunk_id, sum(
        p.lemma * p.lemma_count / (p.lemma_count + (%(a)s::float8 + %(s)s::float8 * p.length))
        + p.form * p.form_count / (p.form_count + (%(a)s::float8 + %(s)s::float8 * p.length))
    ) AS score, count(*) FILTER (WHERE p.quoted AND p.form_count > 0) AS quoted
    FROM unpacked p GROUP BY p.chunk_id
)
SELECT postings, lemma, form, quoted, late, NULL, NULL, NULL FROM asked WHERE postings IS NOT NULL
UNION ALL
SELECT NULL, NULL, NULL, NULL, NULL, array_agg(chunk_id), array_agg(score), array_agg(quoted) FROM scored
"""
_PASSING = """
SELECT ranked.place
FROM (SELECT * FROM unnest(%(chunks)s::int[]) WITH ORDINALITY AS r(chunk_id, place) ORDER BY place) AS ranked
JOIN ingestion_chunk c ON c.id = ranked.chunk_id
JOIN ingestion_document d ON d.id = c.document_id
WHERE {condition}
ORDER BY ranked.place
LIMIT %(limit)s
"""
_SPARE = 10  # of the best chunks that may fail the condition before all are looked at
_SPAN = 500_000  # keys between which sums are kept by place; farther apart, sorting them is quicker

Chunks = NDArray[np.int64]
Scores = NDArray[np.float64]


class Added(NamedTuple):
    """What postings add: to which chunk, how much, and whether of a quoted term or of how many."""

    chunks: Chunks
    scores: Scores
    quoted: Chunks | NDArray[np.bool_]


class ScoredChunks(NamedTuple):
    """Chunks, each once, by ascending key, with their scores."""

    chunks: Chunks
    scores: Scores

    def best(self, limit: int) -> "ScoredChunks":
        """At most `limit`, best first; of equals the lower key."""
        if limit < len(self.scores):
            least = np.partition(self.scores, -limit)[-limit]
            candidates = np.flatnonzero(self.scores >= least)
        else:
            candidates = np.arange(len(self.scores))
        order = candidates[np.argsort(-self.scores[candidates], kind="stable")][:limit]
        return ScoredChunks(self.chunks[order], self.scores[order])


def search_packed(
    values: Mapping[str, Any], condition: Condition, limit: int, quoted: Collection[int] = ()
) -> list[tuple[int, float]]:
    """(chunk key, score) pairs of chunks that meet the condition, best first, at most `limit`, scores above 0.

    `values`: terms, collections, what an occurrence as lemma and as form may add, and BM25's constants `a` and `s`.
    `quoted`: terms that a chunk must have as forms, before the condition reads its text.
    """
    asked = [term in quoted for term in values["terms"]]
    found = _summed(_added(fetch(_FOUND, {**values, "quoted": asked}), values), len(quoted))
    sql, parameters = named(condition)
    for wanted in (limit + _SPARE, len(found.chunks)):
        best = found.best(wanted)
        rows = fetch(_PASSING.format(condition=sql), parameters | {"chunks": best.chunks.tolist(), "limit": limit})
        if len(rows) == limit or wanted >= len(found.chunks):
            break
    places = [place - 1 for (place,) in rows]
    return list(zip(best.chunks[places].tolist(), best.scores[places].tolist(), strict=True))


def _added(rows: Sequence[tuple[Any, ...]], values: Mapping[str, Any]) -> Added:
    """What each posting adds to which chunk."""
    *lists, (*_, chunks, scores, quoted) = rows
    rest = Added(np.array(chunks or (), np.int64), np.array(scores or (), float), np.array(quoted or (), np.int64))
    if not lists:
        return rest
    packed, lemma, form, asked, late, *_ = zip(*lists, strict=True)
    postings = Postings.unpacked(b"".join(packed))
    sizes = [len(one) // SIZE for one in packed]
    norm = values["a"] + values["s"] * postings.lengths
    added = np.repeat(lemma, sizes) * (postings.lemmas / (postings.lemmas + norm))
    added += np.repeat(form, sizes) * (postings.forms / (postings.forms + norm))
    quoting = np.repeat(asked, sizes) & (postings.forms > 0)
    if gone := set().union(*late):  # by now they have other postings, among the rows
        stale = np.isin(postings.chunks, list(gone))
        added[stale], quoting[stale] = 0.0, False
    return Added(
        np.concatenate([postings.chunks.astype(np.int64), rest.chunks]),
        np.concatenate([added, rest.scores]),
        np.concatenate([quoting, rest.quoted]),
    )


def _summed(added: Added, quoted: int) -> ScoredChunks:
    """Chunks that have all of so many quoted terms."""
    first = added.chunks.min() if len(added.chunks) else 0
    if added.chunks.max(initial=0) - first < _SPAN:
        known, places = None, added.chunks - first
    else:
        known, places = np.unique(added.chunks, return_inverse=True)
    sums: Any = np.bincount(places, added.scores)
    passes = sums > 0
    if quoted:
        passes &= np.bincount(places, added.quoted) == quoted
    found = np.flatnonzero(passes)
    return ScoredChunks(found + first if known is None else known[found], sums[found])
