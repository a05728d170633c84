"""Chunks that hold all words of a phrase which editors want searched beside the question."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from ingestion.models import Collection
from knowledgetree.conf import LexicalSettings
from knowledgetree.postgres.prepared_statements import fetch
from rag.search.query.terms import Alternative
from rag.search.retrieval.filters import Condition, named
from rag.search.retrieval.lexical import CorpusStatistics

_MOST_POSTINGS = 50_000  # some ten milliseconds

# A phrase is worth what its rarest-scoring word is worth: one frequent word alone does not make it.
_SEARCH = """
SELECT ranked.phrase, ranked.chunk_id, ranked.score
FROM (
    SELECT q.phrase, p.chunk_id,
        min(q.idf * p.lemma_count / (p.lemma_count + %(a)s::float8 + %(s)s::float8 * p.length)) AS score
    FROM unnest(%(phrases)s::int[], %(terms)s::int[], %(idf)s::float8[], %(sizes)s::int[])
        AS q(phrase, term_id, idf, size)
    JOIN ingestion_posting p
        ON p.term_id = q.term_id AND p.collection_id = ANY(%(collections)s) AND p.lemma_count > 0
    GROUP BY q.phrase, q.size, p.chunk_id
    HAVING count(*) = q.size
    ORDER BY score DESC
    LIMIT %(limit)s
) AS ranked
JOIN ingestion_chunk c ON c.id = ranked.chunk_id
JOIN ingestion_document d ON d.id = c.document_id
WHERE {condition}
"""


def phrase_scores(
    alternatives: Sequence[Alternative],
    *,
    collections: Sequence[Collection],
    statistics: CorpusStatistics,
    condition: Condition,
    settings: LexicalSettings,
    limit: int,
) -> dict[int, float]:
    """By chunk, what the phrases add to its lexical score: weight times the score of the phrase's weakest word.

    Of several phrases for the same typed words the best counts. Rare ones are looked for first, while postings last.
    """
    phrases = _affordable(alternatives)
    if not phrases:
        return {}
    rows = [(number, term, phrase) for number, phrase in enumerate(phrases) for term in phrase.terms]
    sql, parameters = named(condition)
    values: dict[str, Any] = {
        "a": settings.k1 * (1 - settings.b),
        "s": settings.k1 * settings.b / (statistics.mean_length or 1.0),
        "phrases": [number for number, _, _ in rows],
        "terms": [term.id for _, term, _ in rows],
        "idf": [statistics.idf(term.lemma_chunks) for _, term, _ in rows],
        "sizes": [len(phrase.terms) for _, _, phrase in rows],
        "collections": [collection.pk for collection in collections],
        "limit": limit * len(phrases),
    }
    best: dict[tuple[int, tuple[int, ...]], float] = defaultdict(float)
    for number, chunk, score in fetch(_SEARCH.format(condition=sql), values | parameters):
        key = chunk, phrases[number].stands_for
        best[key] = max(best[key], phrases[number].weight * score)
    scores: dict[int, float] = defaultdict(float)
    for (chunk, _typed), score in best.items():
        scores[chunk] += score
    return scores


def _affordable(alternatives: Sequence[Alternative]) -> list[Alternative]:
    """The phrases, those with the fewest postings first; one at least."""
    phrases = sorted((one for one in alternatives if len(one.terms) > 1), key=_postings)
    spent = accumulate(map(_postings, phrases))
    return [phrase for phrase, postings in zip(phrases, spent, strict=True) if postings <= _MOST_POSTINGS] or phrases[
        :1
    ]


def _postings(alternative: Alternative) -> int:
    return sum(term.lemma_chunks for term in alternative.terms)
