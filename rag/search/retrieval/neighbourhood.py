"""The part of the graph of names around a question's entities, of the chunks a viewer may see and the filters pass."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import connection

from rag.search.query.names import PossibleNames
from rag.search.retrieval.filters import Condition, named
from rag.search.retrieval.lexical import CorpusStatistics

_NEAR_CHUNKS = 150  # that name the question's entities; from these the walk goes on
_POOL = 600  # read before the filters are asked
_SHARED_ENTITIES = 60
_MAX_CHUNKS_OF_SHARED = 100  # what more chunks name than this links everything with everything
_MAX_MENTIONS = 4000

_ENTITIES = """
SELECT key, array_agg(id), sum(chunks), min(name) FROM ingestion_entity
WHERE key = ANY(%(keys)s) AND collection_id = ANY(%(collections)s) AND chunks > 0 GROUP BY key
"""
# As in the lexical search: the inner query reads only the covering index, and the condition is asked of the best.
_NEAR = """
SELECT near.chunk_id, near.entities, near.counts FROM (
    SELECT m.chunk_id, array_agg(m.entity_id) AS entities, array_agg(m.count) AS counts,
           sum(s.weight * ln(1 + m.count)) AS weight
    FROM unnest(%(ids)s::int[], %(weights)s::float8[]) AS s(id, weight)
    JOIN ingestion_entitymention m ON m.entity_id = s.id
    GROUP BY m.chunk_id ORDER BY weight DESC, m.chunk_id LIMIT %(pool)s
) AS near
JOIN ingestion_chunk c ON c.id = near.chunk_id
JOIN ingestion_document d ON d.id = c.document_id
WHERE {condition}
ORDER BY near.weight DESC, near.chunk_id LIMIT %(limit)s
"""
_SHARED = """
WITH found AS (
    SELECT e.key, sum(m.count) AS mentions
    FROM ingestion_entitymention m JOIN ingestion_entity e ON e.id = m.entity_id
    WHERE m.chunk_id = ANY(%(chunks)s) AND m.entity_id <> ALL(%(seeds)s) GROUP BY e.key
)
SELECT f.key, array_agg(e.id), sum(e.chunks), min(e.name)
FROM found f JOIN ingestion_entity e ON e.key = f.key AND e.collection_id = ANY(%(collections)s)
GROUP BY f.key, f.mentions HAVING sum(e.chunks) BETWEEN 2 AND %(most)s
ORDER BY f.mentions * ln(1 + %(total)s / sum(e.chunks)::float8) DESC, f.key LIMIT %(limit)s
"""
_MENTIONS = """
SELECT m.chunk_id, m.entity_id, m.count FROM unnest(%(ids)s::int[]) WITH ORDINALITY AS s(id, place)
JOIN ingestion_entitymention m ON m.entity_id = s.id
JOIN ingestion_chunk c ON c.id = m.chunk_id
JOIN ingestion_document d ON d.id = c.document_id
WHERE {condition}
ORDER BY s.place, m.chunk_id LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityNode:
    """An entity of the collections searched: its rows there, how many chunks name it, and how much that tells."""

    key: str
    name: str
    ids: tuple[int, ...]
    idf: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbourhood:
    """`nodes`, the question's own `seeds` first; `mentions` are (index of the node, chunk key, count)."""

    nodes: Sequence[EntityNode]
    seeds: int
    mentions: Sequence[tuple[int, int, int]]


def neighbourhood(
    names: PossibleNames, *, collection_ids: Sequence[int], statistics: CorpusStatistics, condition: Condition
) -> Neighbourhood | None:
    """Chunks that name what the question names, and those that share another name with them. None: it names nothing."""
    seeds = _seeds(names, collection_ids, statistics)
    near = _near(seeds, condition)
    if not near:
        return None
    shared = _shared([chunk for _, chunk, _ in near], seeds, collection_ids, statistics)
    nodes = [*seeds, *shared]
    mentions: dict[tuple[int, int], int] = defaultdict(int)
    place = {row: index for index, node in enumerate(nodes) for row in node.ids}
    for row, chunk, count in [*near, *_mentions(shared, condition)]:
        mentions[place[row], chunk] = count
    return Neighbourhood(
        nodes=nodes, seeds=len(seeds), mentions=[(node, chunk, count) for (node, chunk), count in mentions.items()]
    )


def _seeds(names: PossibleNames, collection_ids: Sequence[int], statistics: CorpusStatistics) -> list[EntityNode]:
    with connection.cursor() as cursor:
        cursor.execute(_ENTITIES, {"keys": names.keys, "collections": list(collection_ids)})
        nodes = _nodes(cursor.fetchall(), statistics)
    known = names.known({node.key for node in nodes})
    telling = statistics.idf(_POOL)  # a name of more chunks than are read would choose among them by chance
    return [node for node in nodes if node.key in known and node.idf >= telling]


def _near(seeds: Sequence[EntityNode], condition: Condition) -> list[tuple[int, int, int]]:
    sql, parameters = named(condition)
    weights = {row: node.idf for node in seeds for row in node.ids}
    values: dict[str, Any] = {
        "ids": list(weights),
        "weights": list(weights.values()),
        "pool": _POOL,
        "limit": _NEAR_CHUNKS,
    }
    with connection.cursor() as cursor:
        cursor.execute(_NEAR.format(condition=sql), values | parameters)
        rows = cursor.fetchall()
        if len(rows) < _NEAR_CHUNKS:
            cursor.execute(_NEAR.format(condition=sql), values | parameters | {"pool": None})
            rows = cursor.fetchall()
    return [(row, chunk, count) for chunk, ids, counts in rows for row, count in zip(ids, counts, strict=True)]


def _shared(
    chunks: Sequence[int], seeds: Sequence[EntityNode], collection_ids: Sequence[int], statistics: CorpusStatistics
) -> list[EntityNode]:
    values: dict[str, Any] = {
        "chunks": sorted(set(chunks)),
        "seeds": [row for node in seeds for row in node.ids],
        "collections": list(collection_ids),
        "most": _MAX_CHUNKS_OF_SHARED,
        "total": statistics.chunks,
        "limit": _SHARED_ENTITIES,
    }
    with connection.cursor() as cursor:
        cursor.execute(_SHARED, values)
        return _nodes(cursor.fetchall(), statistics)


def _mentions(nodes: Sequence[EntityNode], condition: Condition) -> list[tuple[int, int, int]]:
    sql, parameters = named(condition)
    values: dict[str, Any] = {"ids": [row for node in nodes for row in node.ids], "limit": _MAX_MENTIONS}
    with connection.cursor() as cursor:
        cursor.execute(_MENTIONS.format(condition=sql), values | parameters)
        return [(row, chunk, count) for chunk, row, count in cursor.fetchall()]


def _nodes(rows: Iterable[tuple[str, list[int], int, str]], statistics: CorpusStatistics) -> list[EntityNode]:
    return [
        EntityNode(key=key, name=name, ids=tuple(ids), idf=statistics.idf(int(chunks)))
        for key, ids, chunks, name in rows
    ]
