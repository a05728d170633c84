"""Which chunks of some collections may be looked at for somebody, as far as the memory of the process knows."""

from collections.abc import Set
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingestion.selectors.chunk_readers import Keys, KnownReaders, Marks

_FEW = 8_000
"""Chunks that are named one by one in statements."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Opening:
    """What members of `readerships` may read of the collections whose readers are `known`; None: everything.

    `few`: all chunks that may be read, in order, once it was found that they are few.
    """

    known: KnownReaders
    readerships: frozenset[int] | None
    few: Keys | None = None

    def is_of(self, collection_ids: Set[int]) -> bool:
        """Whether it is of these collections, all of them and no others."""
        return self.known.by_collection.keys() == collection_ids

    @property
    def hidden(self) -> int:
        """How many chunks may not be read."""
        if self.readerships is None:
            return 0
        return sum(readers.hidden(self.readerships) for readers in self.known.by_collection.values())

    def opens(self, chunks: NDArray[np.integer[Any]]) -> Marks:
        """Whether each of `chunks` may be read; True of those that are not known yet."""
        opened = np.ones(len(chunks), bool)
        if self.readerships is not None:
            for readers in self.known.by_collection.values():
                if readers.chunks_of:
                    opened &= readers.opens(chunks, self.readerships)
        return opened

    def found_few(self, chunks: int) -> "Opening":
        """With `few`, where of so many `chunks` in the collections few may be read."""
        if self.readerships is None or chunks > _FEW + (hidden := self.hidden) or not hidden:
            return self
        some = [readers.open_chunks(self.readerships) for readers in self.known.by_collection.values()]
        return replace(self, few=np.sort(np.concatenate(some)))
