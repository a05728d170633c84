"""Chunks that hold all words of a phrase which editors want searched beside the question."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from ingestion.models import Collection
from knowledgetree.conf import LexicalSettings
from knowledgetree.postgres.prepared_statements import fetch
from rag.search.query.terms import PhraseAlternative
from rag.search.retrieval.filters import Condition, named
from rag.search.retrieval.lexical import CorpusStatistics

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
    alternatives: Sequence[PhraseAlternative],
    *,
    collections: Sequence[Collection],
    statistics: CorpusStatistics,
    condition: Condition,
    settings: LexicalSettings,
    limit: int,
) -> dict[int, float]:
    """By chunk, what the phrases add to its lexical score: weight times the score of the phrase's weakest word."""
    if not alternatives:
        return {}
    rows = [
        (number, term, alternative) for number, alternative in enumerate(alternatives) for term in alternative.terms
    ]
    sql, parameters = named(condition)
    values: dict[str, Any] = {
        "a": settings.k1 * (1 - settings.b),
        "s": settings.k1 * settings.b / (statistics.mean_length or 1.0),
        "phrases": [number for number, _, _ in rows],
        "terms": [term.id for _, term, _ in rows],
        "idf": [statistics.idf(term.lemma_chunks) for _, term, _ in rows],
        "sizes": [len(alternative.terms) for _, _, alternative in rows],
        "collections": [collection.pk for collection in collections],
        "limit": limit * len(alternatives),
    }
    scores: dict[int, float] = defaultdict(float)
    for number, chunk, score in fetch(_SEARCH.format(condition=sql), values | parameters):
        scores[chunk] += alternatives[number].weight * score
    return scores
