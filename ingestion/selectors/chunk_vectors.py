"""The vectors of a collection's chunks in the memory of the process, a byte a number, to find what is near among
thousands of chunks that somebody may read. It proposes: how near a chunk is, and who may read it, PostgreSQL says.

They are read when somebody first may read a part of the collection: 0.4 MB for a thousand chunks of 384 dimensions.
"""

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from django.db import connection
from numpy.typing import NDArray

from ingestion.models import EmbeddingSpace
from ingestion.selectors.chunk_readers import ChunkReaders, Keys
from ingestion.selectors.opening import Opening
from knowledgetree.postgres.connections import borrowed_connections
from knowledgetree.postgres.prepared_statements import fetch

_VECTORS = """
SELECT string_agg(int4send(chunk_id) || vector_send(embedding), '') FROM ingestion_chunkembedding
WHERE space_id = %s AND part = 0 AND chunk_id = ANY(%s::int[])
"""
_AT_ONCE = 5_000
_MOST_BYTES = 64_000_000  # of all collections in one process
_UNREAD = 500  # chunks without a vector here that are proposed, all of them, until they are read
_BLOCK = 256  # rows that are multiplied at once: they stay in the processor's nearest memory
_LARGEST = 127

Vector = NDArray[np.float32]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ChunkVectors:
    """Those of a collection in the `space`, in the order of the chunks' keys: each row of `codes` times its scale has a
    length of one. `state` is the one whose chunks have been read.
    """

    space: int
    state: ChunkReaders | None = None
    keys: Keys = field(default_factory=lambda: np.empty(0, np.int32))
    codes: NDArray[np.int8] = field(default_factory=lambda: np.empty((0, 0), np.int8))
    scales: Vector = field(default_factory=lambda: np.empty(0, np.float32))

    def near(self, vector: Vector, chunks: Keys, limit: int, *, edited: Keys) -> Keys | None:
        """The `limit` nearest of `chunks`, in no order, and those whose vectors are not known: they were written since,
        or `edited`. None where too many are not.
        """
        at = np.minimum(np.searchsorted(self.keys, chunks), max(0, len(self.keys) - 1))
        known = self.keys[at] == chunks if len(self.keys) else np.zeros(len(chunks), bool)
        if len(edited):
            known &= ~np.isin(chunks, edited)
        unknown, rows = chunks[~known], at[known]
        if len(unknown) > _UNREAD:
            return None
        if len(rows) > limit:
            rows = rows[np.argpartition(-self._cosines(vector, rows), limit)[:limit]]
        return np.concatenate([self.keys[rows], unknown])

    def _cosines(self, vector: Vector, rows: NDArray[np.intp]) -> Vector:
        found = np.empty(len(rows), np.float32)
        for start in range(0, len(rows), _BLOCK):
            block = self.codes[rows[start : start + _BLOCK]]
            found[start : start + _BLOCK] = block.astype(np.float32) @ vector
        return np.asarray(found * self.scales[rows])

    def grown(self, state: ChunkReaders) -> "ChunkVectors":
        """With what `state` has and they lack, without what it has no more."""
        kept = np.isin(self.keys, state.searched)
        read = [ChunkVectors(space=self.space, keys=self.keys[kept], codes=self.codes[kept], scales=self.scales[kept])]
        read += _read(self.space, np.setdiff1d(state.searched, self.keys))
        read = [one for one in read if len(one.keys)] or read[:1]
        keys = np.concatenate([one.keys for one in read])
        order = np.argsort(keys)
        codes, scales = (np.concatenate([getattr(one, name) for one in read])[order] for name in ("codes", "scales"))
        return ChunkVectors(space=self.space, state=state, keys=keys[order], codes=codes, scales=scales)


def near_chunks(space: EmbeddingSpace, vector: Vector, opening: Opening, limit: int) -> Keys | None:
    """The `limit` chunks nearest to `vector` in every collection, of those that `opening` opens, and some that were not
    looked at. None where the vectors are not known, or not yet: they are read beside, and the next search has them.
    """
    found: list[Keys] = []
    for collection, readers in opening.known.by_collection.items():
        vectors = _known_vectors(space, collection, readers)
        chunks = readers.open_chunks(opening.readerships or frozenset())
        near = vectors.near(vector, chunks, limit, edited=readers.edited) if vectors else None
        if near is None:
            return None
        found.append(near)
    return np.concatenate(found) if found else None


_kept: dict[int, ChunkVectors] = {}  # by collection
_reading: set[int] = set()
_lock = threading.Lock()


def _known_vectors(space: EmbeddingSpace, collection: int, readers: ChunkReaders) -> ChunkVectors | None:
    """What is known of them by now."""
    known = _kept.get(collection)
    known = known if known and known.space == space.pk else ChunkVectors(space=space.pk)
    if known.state is not readers:
        with _lock:
            others = sum(one.codes.nbytes for key, one in _kept.items() if key != collection)
            is_free = collection not in _reading and others + len(readers.searched) * space.dimension <= _MOST_BYTES
            _reading.update({collection} if is_free else ())
        if is_free and _shares_database():
            threading.Thread(target=_grow_beside, args=[collection, known, readers], daemon=True).start()
        elif is_free:
            _grow(collection, known, readers)
    return _kept.get(collection)


def _shares_database() -> bool:
    """Whether another connection sees the same, and is quickly had."""
    return bool(connection.settings_dict["OPTIONS"].get("pool")) and not connection.in_atomic_block


@borrowed_connections()
def _grow_beside(collection: int, known: ChunkVectors, readers: ChunkReaders) -> None:
    _grow(collection, known, readers)


def _grow(collection: int, known: ChunkVectors, readers: ChunkReaders) -> None:
    try:
        _kept[collection] = known.grown(readers)
    finally:
        _reading.discard(collection)


def _read(space: int, chunks: Keys) -> Iterator[ChunkVectors]:
    for start in range(0, len(chunks), _AT_ONCE):
        asked = chunks[start : start + _AT_ONCE].tolist()
        if sent := fetch(_VECTORS, [space, asked])[0][0]:
            yield _coded(space, sent)


def _coded(space: int, sent: bytes) -> ChunkVectors:
    """Vectors as pgvector sends them: the dimension, two bytes that are not used, and single precision."""
    dimension = int.from_bytes(sent[4:6], "big")
    row: Any = [("chunk", ">i4"), ("head", ">i2", 2), ("values", ">f4", dimension)]
    rows = np.frombuffer(sent, row)
    values = rows["values"].astype(np.float32)
    values /= np.maximum(np.linalg.norm(values, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    scales = np.maximum(np.abs(values).max(axis=1), np.finfo(np.float32).tiny) / _LARGEST
    codes = np.rint(values / scales[:, None]).astype(np.int8)
    return ChunkVectors(space=space, keys=rows["chunk"].astype(np.int32), codes=codes, scales=scales)
