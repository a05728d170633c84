"""A term's postings in one piece: eight bytes each, in the order of the chunks' keys."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

SIZE = 8
"""Bytes of a posting: four of the chunk's key, one of each count, two of the length."""

_COUNT, _LENGTH = 0xFF, 0xFFFF

Counts = NDArray[np.integer[Any]]


class Postings(NamedTuple):
    """Four rows of equal length: the chunks' keys, how often the term stands there as a lemma and as a form, and how
    many words the chunk has.
    """

    chunks: Counts
    lemmas: Counts
    forms: Counts
    lengths: Counts

    def fit(self) -> bool:
        """Whether they can be packed: few chunks have a word 256 times, or 65,536 words."""
        most = max(self.lemmas.max(initial=0), self.forms.max(initial=0))
        return bool(most <= _COUNT and self.lengths.max(initial=0) <= _LENGTH)

    def packed(self) -> bytes:
        """Packs postings that `fit`; what several terms have may be joined and unpacked together."""
        raw = np.empty(SIZE * len(self.chunks), np.uint8)
        for row, place in zip(self, _places(raw), strict=True):
            place[:] = row
        return raw.tobytes()

    @classmethod
    def unpacked(cls, packed: bytes) -> "Postings":
        """Without a copy: the rows lie in `packed`."""
        return cls(*_places(np.frombuffer(packed, np.uint8)))


def _places(raw: NDArray[np.uint8]) -> tuple[Counts, Counts, Counts, Counts]:
    return raw.view("<u4")[::2], raw[4::SIZE], raw[5::SIZE], raw.view("<u2")[3::4]
