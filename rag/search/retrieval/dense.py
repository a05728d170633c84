"""Nearest vectors in an embedding space, by cosine: over its half-precision HNSW index, or exactly where few pass.

An HNSW graph knows nothing of filters: it gives nodes in order of distance, and those that fail are thrown away. The
fewer pass, the further it walks, and the more it misses; then every passing chunk is compared instead. Where rights
alone decide, the process knows the vectors (`ingestion.selectors.chunk_vectors`) and names the nearest that may be
read. The measured costs that decide are in `rag.search.retrieval.selectivity`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
import psycopg
from django.db import connection
from numpy.typing import NDArray
from pgvector.psycopg.vector import VectorBinaryDumper

from ingestion.models import EmbeddingSpace
from ingestion.selectors.chunk_vectors import near_chunks
from knowledgetree.postgres.integer_arrays import IntegerArray, IntegerArrayDumper
from knowledgetree.postgres.prepared_statements import array_text
from rag.search.retrieval.filters import Condition, named
from rag.search.retrieval.lexical import CorpusStatistics, corpus_statistics
from rag.search.retrieval.selectivity import Selectivity, selectivity

Strategy = Literal["index", "exact"]

_OVERFETCH = 2  # an iterative scan's order is nearly that of distance: at a share of 5 % recall rises from 0.95 to 0.99
_PROPOSED = 3  # times as many chunks as are wanted: rounded to a byte, the order changes by a few places
_STEP = 20  # rows by which a statement asks for more: each number of them is another statement
_SENTENCES = 4  # of the nearest sentences, several stand in one chunk

_PASSING = """
    JOIN ingestion_chunk c ON c.id = e.chunk_id
    JOIN ingestion_document d ON d.id = c.document_id
    WHERE c.collection_id = ANY(%(collections)s) AND {condition}"""
# The literal space and dimension let the planner see the partial expression index.
_INDEX = f"""(
    SELECT e.chunk_id, e.part, e.embedding::halfvec({{dimension}}) <=> {{vector}} AS distance, d.readership_id
    FROM ingestion_chunkembedding e {_PASSING} AND e.space_id = {{space}} AND {{part}}
    ORDER BY e.embedding::halfvec({{dimension}}) <=> {{vector}}
    LIMIT {{limit}}
)"""  # noqa: S608  (put together from constants and numbers)
# In full precision, which is exact, saves the conversion, and cannot be mistaken for the index's expression.
_EXACT = f"""(
    SELECT e.chunk_id, e.part, e.embedding <=> {{vector}} AS distance, d.readership_id
    FROM ingestion_chunkembedding e {_PASSING} AND e.space_id = {{space}} AND {{part}}
)"""  # noqa: S608
# Of chunks that are named: all are compared, and only the nearest looked up in the other tables.
_AMONG = f"""(
    SELECT e.chunk_id, e.part, e.distance, d.readership_id
    FROM (
        SELECT n.chunk_id, n.part, n.embedding <=> {{vector}} AS distance FROM ingestion_chunkembedding n
        WHERE n.space_id = {{space}} AND n.chunk_id = ANY(%(among)s) AND {{part}} ORDER BY distance, n.chunk_id
    ) AS e {_PASSING}
    ORDER BY e.distance, e.chunk_id
    LIMIT {{limit}}
)"""  # noqa: S608
# The best part stands for its chunk.
_NEAREST = """
WITH near AS MATERIALIZED ({near})
SELECT chunk_id, 1 - distance, part, readership_id
FROM (SELECT DISTINCT ON (chunk_id) * FROM near ORDER BY chunk_id, distance, part) AS best
ORDER BY distance, chunk_id
LIMIT %(limit)s
"""
_COSINES = """
SELECT chunk_id, 1 - (embedding <=> %(vector)b::vector) FROM ingestion_chunkembedding
WHERE space_id = %(space)s AND part = 0 AND chunk_id = ANY(%(chunks)s)
"""
_SETTINGS = "SELECT set_config(name, value, true) FROM unnest(%s::text[], %s::text[]) AS setting(name, value)"
# PostgreSQL's default of 4 is that of a spinning disk: it reads the whole table for five hundred rows, which takes
# three times as long at 100k chunks and thirty times at a million.
_PLANNER = {"random_page_cost": 1.1}
_SCAN = {"hnsw.iterative_scan": "relaxed_order", "hnsw.scan_mem_multiplier": 8}  # of work_mem, for the nodes seen


class DenseHit(NamedTuple):
    """A chunk with its cosine in [-1, 1]; `part` 0: of the whole chunk, n: of its n-th sentence."""

    chunk_id: int
    similarity: float
    part: int = 0


class DenseRetriever:
    """`ef_search` is the size of HNSW's candidate list, 1 to 1000. `strategy` None: what costs less, search by search.

    At 100k x 1024 an `ef_search` of 100 gives recall@20 0.99 (docs/benchmarks.md).
    """

    def __init__(self, ef_search: int = 100, *, strategy: Strategy | None = None) -> None:
        self._ef_search = ef_search
        self._strategy = strategy

    def retrieve(
        self,
        vector: NDArray[np.float32],
        *,
        space: EmbeddingSpace,
        collection_ids: Sequence[int],
        condition: Condition,
        limit: int,
        sentences: bool = False,
        among: Sequence[int] | None = None,
        statistics: CorpusStatistics | None = None,
    ) -> list[DenseHit]:
        """The nearest chunks that meet `condition`, nearest first, at most `limit`; only `among` these, where given.
        `statistics`: those of the collections, where somebody has them already.

        With `sentences` a chunk is as near as the nearest of its sentences and itself, where the space has such
        vectors. Fewer than `limit` come back where fewer pass, and from a corpus beyond a few ten thousand chunks
        where an excluded word lets few of many pass.
        """
        if not collection_ids:
            return []
        search = _Search(
            vector=vector,
            space=space,
            collection_ids=collection_ids,
            condition=condition,
            limit=limit,
            sentences=sentences and space.sentence_vectors,
            among=_few(condition) if among is None else np.asarray(among, np.int32),
        )
        if among is not None:
            return search.exact()
        statistics = statistics or corpus_statistics(collection_ids)
        passing = selectivity(condition, collection_ids, statistics)
        may_remember = self._strategy is None and passing.favours_memory(_OVERFETCH * limit)
        if may_remember and (known := search.by_memory(passing)) is not None:
            return known
        if self.strategy(passing, limit, named=search.among is not None, dimension=space.dimension) == "exact":
            return search.exact()
        found = search.by_index(self._ef_search, passing, statistics)
        if len(found) < limit and passing.allows_exact and self._strategy is None:
            return search.exact()
        return found

    def strategy(self, passing: Selectivity, limit: int, *, named: bool, dimension: int) -> Strategy:
        exact = passing.favours_exact(_OVERFETCH * limit, named=named, dimension=dimension)
        return self._strategy or ("exact" if exact else "index")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    """One search, as the statement of either strategy."""

    vector: NDArray[np.float32]
    space: EmbeddingSpace
    collection_ids: Sequence[int]
    condition: Condition
    limit: int
    sentences: bool
    among: NDArray[np.int32] | None = None

    def by_memory(self, passing: Selectivity) -> list[DenseHit] | None:
        """Among the nearest that the process knows, where rights alone decide; None where it does not know the vectors,
        or too few of the nearest meet the rest of the condition.
        """
        opening, proposed = self.condition.clearance.opening, _PROPOSED * self.limit
        if opening is None or opening.readerships is None or self.sentences or not self.condition.asks_rights_alone:
            return None
        near = None if self.condition.of_text else near_chunks(self.space, self.vector, opening, proposed)
        if near is None:
            return None
        found = replace(self, among=near).exact()
        return found if len(found) == self.limit or passing.passing <= proposed else None

    def exact(self) -> list[DenseHit]:
        if self.among is not None:
            part, limit = ("true", "NULL") if self.sentences else ("n.part = 0", self.limit)
            near = self._near(_AMONG, self.condition, vector="%(vector)b::vector", part=part, limit=limit)
        else:
            near = self._near(
                _EXACT, self.condition, vector="%(vector)b::vector", part="true" if self.sentences else "e.part = 0"
            )
        return self._nearest(near, self.condition, self.limit, _PLANNER, prepare=self.among is not None)[: self.limit]

    def by_index(self, ef_search: int, passing: Selectivity, statistics: CorpusStatistics) -> list[DenseHit]:
        """What rights alone would leave out is looked at too, and left out when it comes: the statement is then that of
        those who read everything.
        """
        overfetch = _OVERFETCH if passing.share < 1 else 1
        condition, rows = self.condition, overfetch * self.limit
        if condition.beside_rights and statistics.hidden is not None:
            condition, rows = condition.beside_rights, _STEP * math.ceil(rows / statistics.share / _STEP)
        limits = {"e.part = 0": rows}
        if self.sentences:
            limits["e.part > 0"] = _SENTENCES * rows // overfetch
        vector = f"%(vector)b::vector::halfvec({int(self.space.dimension)})"
        near = [self._near(_INDEX, condition, vector=vector, part=part, limit=limit) for part, limit in limits.items()]
        scan = {"hnsw.ef_search": ef_search, "hnsw.max_scan_tuples": passing.max_scan_tuples}
        is_common = statistics.chunks == statistics.all_chunks and condition.documents is None
        found = self._nearest(" UNION ALL ".join(near), condition, rows, _PLANNER | _SCAN | scan, prepare=is_common)
        return found[: self.limit]

    def _near(self, sql: str, condition: Condition, **fields: object) -> str:
        space, dimension = int(self.space.pk), int(self.space.dimension)
        return sql.format(space=space, dimension=dimension, condition=named(condition)[0], **fields)

    def _nearest(
        self, near: str, condition: Condition, rows: int, settings: Mapping[str, object], *, prepare: bool
    ) -> list[DenseHit]:
        """By a cursor of psycopg's own, which sends the vector as bytes: Django's writes it into the statement, and
        writing and reading a thousand numbers as text costs more than a millisecond.

        `prepare`: where the best plan is the same whatever is asked. With filters it is not. Of at most `rows` those
        that may be read.
        """
        clearance = self.condition.clearance
        values = {
            "vector": self.vector,
            "collections": array_text(list(self.collection_ids)),
            "limit": rows,
            "among": None if self.among is None else IntegerArray(self.among),
        }
        connection.ensure_connection()
        raw = connection.connection
        # All in one round trip; the settings end with the transaction.
        with connection.wrap_database_errors, raw.pipeline(), raw.transaction(), psycopg.Cursor(raw) as cursor:
            cursor.execute(_SETTINGS, [array_text(list(settings)), array_text([str(one) for one in settings.values()])])
            cursor.adapters.register_dumper(np.ndarray, VectorBinaryDumper)
            if self.among is not None:
                cursor.adapters.register_dumper(IntegerArray, IntegerArrayDumper)
            cursor.execute(_NEAREST.format(near=near), values | named(condition)[1], prepare=prepare, binary=True)
            return [DenseHit(*hit) for *hit, readership in cursor if clearance.includes(readership)]


def cosines(vector: NDArray[np.float32], space: EmbeddingSpace, chunk_ids: Sequence[int]) -> dict[int, float]:
    """How near these chunks lie, by chunk, in [-1, 1]; one without a vector in the space is left out. Rights are not
    asked: whoever names chunks has found them.
    """
    if not chunk_ids:
        return {}
    connection.ensure_connection()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        cursor.adapters.register_dumper(np.ndarray, VectorBinaryDumper)
        cursor.adapters.register_dumper(IntegerArray, IntegerArrayDumper)
        values = {"vector": vector, "space": space.pk, "chunks": IntegerArray(np.asarray(chunk_ids, np.int32))}
        cursor.execute(_COSINES, values, prepare=True, binary=True)
        return dict(cursor.fetchall())


def _few(condition: Condition) -> NDArray[np.int32] | None:
    return condition.clearance.opening.few if condition.clearance.opening else None
