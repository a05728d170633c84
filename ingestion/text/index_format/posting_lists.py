"""A term's postings in one piece: eight bytes each, in the order of the chunks' keys."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

SIZE = 8
"""Bytes of a posting: four of the chunk's key, one of each count, two of the length."""

_MOST = (0xFFFFFFFF, 0xFF, 0xFF, 0xFFFF)

Counts = NDArray[np.integer[Any]]


class Postings(NamedTuple):
    """Four rows of equal length: the chunks' keys, how often the term stands there as a lemma and as a form, and how
    many words the chunk has.
    """

    chunks: Counts
    lemmas: Counts
    forms: Counts
    lengths: Counts

    def packed(self) -> bytes:
        """Packs them; what several terms have may be joined and unpacked together. A word counts at most 255 times in
        a chunk: BM25 is nearly flat there.
        """
        raw = np.empty(SIZE * len(self.chunks), np.uint8)
        for row, most, place in zip(self, _MOST, _places(raw), strict=True):
            place[:] = np.minimum(row, most)
        return raw.tobytes()

    def kept(self, marks: NDArray[np.bool_]) -> "Postings":
        """Those that are marked."""
        return Postings(*(row[marks] for row in self))

    @classmethod
    def unpacked(cls, packed: bytes) -> "Postings":
        """Without a copy: the rows lie in `packed`."""
        return cls(*_places(np.frombuffer(packed, np.uint8)))

    @classmethod
    def joined(cls, several: Sequence["Postings"]) -> "Postings":
        """In the order of the chunks, of which each is in one of them."""
        rows = [np.concatenate(columns) for columns in zip(*several, strict=True)]
        order = np.argsort(rows[0], kind="stable")
        return cls(*(row[order] for row in rows))


def _places(raw: NDArray[np.uint8]) -> tuple[Counts, Counts, Counts, Counts]:
    return raw.view("<u4")[::2], raw[4::SIZE], raw[5::SIZE], raw.view("<u2")[3::4]
