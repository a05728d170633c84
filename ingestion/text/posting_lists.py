"""A term's postings in one piece: eight bytes each, in the order of the chunks' keys."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Counts = NDArray[np.int64]

SIZE = 8
"""Bytes of a posting."""

_COUNT, _LENGTH = 0xFF, 0xFFFF


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
        """Of postings that `fit`; what several terms have may be joined and unpacked together."""
        parts = (self.chunks, self.lemmas << 32, self.forms << 40, self.lengths << 48)
        return sum(parts[1:], parts[0]).astype("<u8").tobytes()

    @classmethod
    def unpacked(cls, packed: bytes) -> "Postings":
        words = np.frombuffer(packed, "<u8")
        parts = (words & 0xFFFF_FFFF, words >> 32 & _COUNT, words >> 40 & _COUNT, words >> 48)
        return cls(*(part.view(np.int64) for part in parts))
