"""BM25 over packed posting lists: what frequent words add to thousands of chunks is computed here (`max_score`).

The scores are those of `lexical`. PostgreSQL adds up what the lists lack: rarer words, newer chunks.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingestion.selectors.opening import Opening
from ingestion.text.index_format.posting_lists import Postings
from knowledgetree.postgres.prepared_statements import fetch
from rag.search.retrieval.filters import Condition, named
from rag.search.retrieval.max_score import MaxScore, ScoredChunks, ScoredRows, WeightedList

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
SELECT postings, lemma, form, quoted, late FROM asked WHERE postings IS NOT NULL
UNION ALL
SELECT string_agg(int4send(chunk_id) || float8send(score) || int2send(quoted::int2), ''), NULL, NULL, NULL, NULL
FROM scored
"""
_PASSING = """
SELECT ranked.place, d.readership_id
FROM (SELECT * FROM unnest(%(chunks)s::int[]) WITH ORDINALITY AS r(chunk_id, place) ORDER BY place) AS ranked
JOIN ingestion_chunk c ON c.id = ranked.chunk_id
JOIN ingestion_document d ON d.id = c.document_id
WHERE {condition}
ORDER BY ranked.place
LIMIT %(limit)s
"""
_ROW = np.dtype([("chunk", ">i4"), ("score", ">f8"), ("quoted", ">i2")])
_SPARE = 10  # of the best chunks that may fail the condition before more are looked at
_MORE = 20  # times as many, then


def search_packed(
    values: Mapping[str, Any], condition: Condition, limit: int, quoted: Collection[int] = (), *, share: float = 1.0
) -> list[tuple[int, float]]:
    """(chunk key, score) pairs of chunks that meet the condition, best first, at most `limit`, scores above 0.

    `values`: terms, collections, what an occurrence as lemma and as form may add, and BM25's constants `a` and `s`.
    `quoted`: terms that a chunk must have as forms, before the condition reads its text. `share` of the chunks, in
    (0, 1], may be read, so that as many more are looked at.
    """
    asked = [term in quoted for term in values["terms"]]
    question = _question(fetch(_FOUND, {**values, "quoted": asked}), values, len(quoted))
    return _first_passing(question.best, condition, limit, share)


def score_packed(
    values: Mapping[str, Any], condition: Condition, chunks: Sequence[int] | NDArray[np.int32], limit: int
) -> list[tuple[int, float]]:
    """As `search_packed`, of these chunks alone."""
    question = _question(fetch(_FOUND, {**values, "quoted": [False] * len(values["terms"])}), values, 0)
    return _first_passing(question.of(chunks).best, condition, limit, share=1.0)


def _first_passing(
    best: Callable[[int], ScoredChunks], condition: Condition, limit: int, share: float
) -> list[tuple[int, float]]:
    """Of so many of the best chunks as it takes. Those that are known to be closed are left out without a statement."""
    wanted = round((limit + _SPARE) / share)
    while True:
        found = best(wanted)
        passing = _passing(_opened(found, condition.clearance.opening), condition, limit)
        if len(passing) == limit or len(found.chunks) < wanted:
            return passing
        wanted *= _MORE


def _opened(found: ScoredChunks, opening: Opening | None) -> ScoredChunks:
    if opening is None:
        return found
    opened = opening.opens(found.chunks)
    return ScoredChunks(found.chunks[opened], found.scores[opened])


def _passing(best: ScoredChunks, condition: Condition, limit: int) -> list[tuple[int, float]]:
    """Where closed chunks were left out already, a row is asked here for its one set of readers, and the statement not
    for hundreds of sets; it is made again with rights where one comes that was not known to be closed.
    """
    beside_rights = condition.beside_rights if condition.clearance.opening else None
    rows = _asked(best, beside_rights or condition, limit)
    if beside_rights and not all(condition.clearance.includes(readership) for _, readership in rows):
        rows = _asked(best, condition, limit)
    places = [place - 1 for place, _ in rows]
    return list(zip(best.chunks[places].tolist(), best.scores[places].tolist(), strict=True))


def _asked(best: ScoredChunks, condition: Condition, limit: int) -> list[tuple[int, int | None]]:
    sql, parameters = named(condition)
    asked = parameters | {"chunks": best.chunks.tolist(), "limit": limit}
    return [(place, readership) for place, readership in fetch(_PASSING.format(condition=sql), asked)]


def _question(rows: Sequence[tuple[Any, ...]], values: Mapping[str, Any], quoted: int) -> MaxScore:
    *lists, (scored, *_) = rows
    unpacked = np.frombuffer(scored or b"", _ROW)
    return MaxScore(
        lists=[
            WeightedList(postings=Postings.unpacked(packed), lemma=lemma, form=form, quoted=asked)
            for packed, lemma, form, asked, _ in lists
        ],
        rows=ScoredRows(
            chunks=unpacked["chunk"].astype(np.int64),
            scores=unpacked["score"].astype(float),
            quoted=unpacked["quoted"].astype(np.int16),
        ),
        constant=values["a"],
        by_word=values["s"],
        late=frozenset[int]().union(*(late for *_, late in lists)),
        quoted=quoted,
    )
