"""Which chunks of a collection have readers of their own, in the memory of the process: read once for a state of the
collection, whoever asks. What it says is never the last word: what is shown is asked for its rights in SQL.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ingestion.selectors.knowledge_version import knowledge_versions
from knowledgetree.postgres.prepared_statements import fetch

_COUNTED = """
SELECT collection_id, readership_id, sum(chunk_count) FROM ingestion_document
WHERE readership_id IS NOT NULL AND collection_id = ANY(%s) GROUP BY 1, 2
"""
_CHUNKS = """
SELECT string_agg(
    int4send(c.id) || int8send(CASE WHEN c.enabled THEN coalesce(d.readership_id, 0) ELSE -1 END)
    || boolsend(c.original_text <> ''), ''
)
FROM ingestion_chunk c JOIN ingestion_document d ON d.id = c.document_id WHERE d.collection_id = %s
"""
_ROW = np.dtype([("chunk", ">i4"), ("readership", ">i8"), ("edited", "?")])
_EVERYBODY = 0  # in place of a set of readers
_NOBODY = -1  # for what is switched off
_MOST_READERS = 200  # whose rights are kept as marks of the sets that occur
_MOST_KEPT = 1_000  # collections; a chunk takes eight bytes each

Keys = NDArray[np.int32]
Marks = NDArray[np.bool_]
T = TypeVar("T")


class ChunkReaders:
    """Says how many chunks of a collection the documents of each set of readers have (`chunks_of`), and which they are
    once that is asked.
    """

    def __init__(self, collection: int, chunks_of: Mapping[int, int]) -> None:
        self._collection = collection
        self._open_sets: dict[frozenset[int], Marks] = {}
        self._hidden: dict[frozenset[int], int] = {}
        self.chunks_of = chunks_of

    def hidden(self, readerships: frozenset[int]) -> int:
        """How many chunks members of these sets may not read."""
        if readerships not in self._hidden:
            counted = sum(chunks for key, chunks in self.chunks_of.items() if key not in readerships)
            self._hidden = {**_last(self._hidden), readerships: counted}
        return self._hidden[readerships]

    @property
    def edited(self) -> Keys:
        """Those whose text an editor changed."""
        return self._rows[3]

    @cached_property
    def searched(self) -> Keys:
        """All that somebody may find, in the order of their keys."""
        keys, sets, numbers, _ = self._rows
        found: Keys = keys[(sets != _NOBODY)[numbers]]
        return found

    def opens(self, chunks: NDArray[np.integer[Any]], readerships: frozenset[int]) -> Marks:
        """Whether members of these sets may read each of `chunks`; True of those that are not known."""
        keys, _, numbers, _ = self._rows
        if not len(keys):
            return np.ones(len(chunks), bool)
        at = np.minimum(np.searchsorted(keys, chunks), len(keys) - 1)
        opened: Marks = self._open(readerships)[numbers[at]] | (keys[at] != chunks)
        return opened

    def open_chunks(self, readerships: frozenset[int]) -> Keys:
        """All that members of these sets may read, in the order of their keys."""
        keys, _, numbers, _ = self._rows
        opened: Keys = keys[self._open(readerships)[numbers]]
        return opened

    def _open(self, readerships: frozenset[int]) -> Marks:
        """Of each set that occurs whether it is one of these."""
        if readerships not in self._open_sets:
            marks = np.isin(self._rows[1], [_EVERYBODY, *readerships])
            self._open_sets = {**_last(self._open_sets), readerships: marks}
        return self._open_sets[readerships]

    @cached_property
    def _rows(self) -> tuple[Keys, NDArray[np.int64], NDArray[np.int32], Keys]:
        """The chunks' keys in order, the sets of readers, of each chunk the number of its set; and which are edited."""
        rows = np.sort(np.frombuffer(fetch(_CHUNKS, [self._collection])[0][0] or b"", _ROW), order="chunk")
        sets, numbers = np.unique(rows["readership"].astype(np.int64), return_inverse=True)
        keys = rows["chunk"].astype(np.int32)
        return keys, sets, numbers.astype(np.int32), keys[rows["edited"]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KnownReaders:
    """The readers of some collections, by key, at the state that their `version` names (`knowledge_version`)."""

    version: str
    by_collection: Mapping[int, ChunkReaders]

    @property
    def readerships(self) -> set[int]:
        """The sets of readers that occur."""
        return set[int]().union(*(readers.chunks_of for readers in self.by_collection.values()))


_kept: dict[int, tuple[str, ChunkReaders]] = {}
_lock = Lock()


def known_readers(collection_ids: Iterable[int]) -> KnownReaders:
    """Those of these collections as they are now. One query where nothing changed since somebody asked last."""
    together, versions = knowledge_versions(collection_ids)  # first: what changes meanwhile must not be kept as new
    with _lock:
        known = {key: _kept[key][1] for key, version in versions.items() if _kept.get(key, ("",))[0] == version}
    if new := [key for key in versions if key not in known]:
        found: dict[int, dict[int, int]] = {key: {} for key in new}
        for key, readership, chunks in fetch(_COUNTED, [new]):
            found[key][readership] = int(chunks)
        known |= {key: ChunkReaders(key, chunks_of) for key, chunks_of in found.items()}
        _keep({key: (versions[key], known[key]) for key in new})
    return KnownReaders(version=together, by_collection=known)


def _last(kept: Mapping[frozenset[int], T]) -> dict[frozenset[int], T]:
    return dict(list(kept.items())[-_MOST_READERS:])


def _keep(new: Mapping[int, tuple[str, ChunkReaders]]) -> None:
    with _lock:
        _kept.update(new)
        for key in list(_kept)[: max(0, len(_kept) - _MOST_KEPT)]:
            del _kept[key]
