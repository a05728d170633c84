"""Which documents name what some passages name, by how much each name tells."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db import connection

from rag.search.retrieval.filters import Condition, named
from rag.search.retrieval.lexical import CorpusStatistics

_MENTIONS = 500  # of the passages, that are looked at
_NAMES = 30  # of them, the rarest
_POOL = 400  # mentions, of the most telling ones
_DOCUMENTS = 60
# Names in more chunks tell nothing: a share of all, but never fewer than what a small corpus needs.
_FEW, _MANY, _SHARE = 10, 100, 0.15

# The name as the passages' own collection has it: that of another one is another text's.
_TOLD = """
WITH own AS (
    SELECT m.entity_id, m.count FROM ingestion_entitymention m WHERE m.chunk_id = ANY(%(chunks)s) LIMIT %(mentions)s
), told AS (
    SELECT e.key, min(e.name) AS name, sum(own.count) AS count FROM own JOIN ingestion_entity e ON e.id = own.entity_id
    GROUP BY e.key
)
SELECT told.name, array_agg(e.id), sum(e.chunks), told.count
FROM told JOIN ingestion_entity e ON e.key = told.key AND e.collection_id = ANY(%(collections)s)
GROUP BY told.key, told.name, told.count HAVING sum(e.chunks) BETWEEN 2 AND %(most)s
ORDER BY sum(e.chunks), told.key LIMIT %(names)s
"""
# As in the graph of a search: the inner query reads only the covering index, and the condition is asked of the best.
# No grouping in there: PostgreSQL sets much memory aside for arrays, and writes to disk what is a hundred kilobytes.
_SHARING = """
SELECT d.id, d.chunk_count, array_agg(near.place), array_agg(near.count) FROM (
    SELECT m.chunk_id, m.count, s.place, s.weight
    FROM unnest(%(ids)s::int[], %(places)s::int[], %(weights)s::float8[]) AS s(id, place, weight)
    JOIN ingestion_entitymention m ON m.entity_id = s.id
    ORDER BY s.weight DESC, m.chunk_id LIMIT %(pool)s
) AS near
JOIN ingestion_chunk c ON c.id = near.chunk_id
JOIN ingestion_document d ON d.id = c.document_id
WHERE c.collection_id = ANY(%(collections)s) AND {condition}
GROUP BY d.id ORDER BY sum(near.weight) DESC, d.id LIMIT %(documents)s
"""


class _Name(NamedTuple):
    """A name of the passages; `ids` are its entities, one a collection."""

    name: str
    ids: Sequence[int]
    weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharing:
    """What a document has in common with the passages: `names`, the most telling first, and what they weigh."""

    names: tuple[str, ...] = ()
    weight: float = 0.0


def sharing_names(
    chunks: Sequence[int], *, collection_ids: Sequence[int], condition: Condition, statistics: CorpusStatistics
) -> dict[int, Sharing]:
    """By document, of those in the collections that meet `condition` and name what `chunks` name. Two queries.

    What is shared weighs as in the product of two TF-IDF vectors; a long document, which names much, counts for less.
    """
    told = _told(chunks, collection_ids, statistics)
    if not told:
        return {}
    sql, parameters = named(condition)
    entities = [(row, place, one.weight) for place, one in enumerate(told) for row in one.ids]
    ids, places, weights = map(list, zip(*entities, strict=True))
    values: dict[str, Any] = {
        "ids": ids,
        "places": places,
        "weights": weights,
        "pool": _POOL,
        "documents": _DOCUMENTS,
        "collections": list(collection_ids),
    }
    with connection.cursor() as cursor:
        cursor.execute(_SHARING.format(condition=sql), values | parameters)
        return {key: _sharing(told, size, zip(places, counts, strict=True)) for key, size, places, counts in cursor}


def _told(chunks: Sequence[int], collection_ids: Sequence[int], statistics: CorpusStatistics) -> list[_Name]:
    """The most telling names of the passages that others have too."""
    values: dict[str, Any] = {
        "chunks": list(chunks),
        "collections": list(collection_ids),
        "mentions": _MENTIONS,
        "names": _NAMES,
        "most": max(_FEW, min(_MANY, int(_SHARE * statistics.chunks))),
    }
    with connection.cursor() as cursor:
        cursor.execute(_TOLD, values)
        return [
            _Name(name, ids, _often(int(count)) * statistics.idf(int(chunks)) ** 2)
            for name, ids, chunks, count in cursor.fetchall()
        ]


def _sharing(told: Sequence[_Name], size: int, mentions: Iterable[tuple[int, int]]) -> Sharing:
    """`mentions` are (index of the name, how often a chunk has it); `size` is that of the document, in chunks."""
    counts: Counter[int] = Counter()
    for place, count in mentions:
        counts[place] += count
    weights = {told[place].name: told[place].weight * _often(count) for place, count in counts.items()}
    return Sharing(
        names=tuple(sorted(weights, key=lambda name: (-weights[name], name))),
        weight=sum(weights.values()) / math.log(math.e + size),
    )


def _often(count: int) -> float:
    return 1 + math.log(count)
