"""The words of a chunk in their order, as keys of terms: what the forward index stores."""

import zlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingestion.text.morphology.kinship import LEAST

Keys = NDArray[np.int32]


class WordsInOrder(NamedTuple):
    """Three rows of equal length: the keys of forms and of their lemmas, and a number for the letters by which akin
    words are alike. Equal beginnings have equal numbers, 0 to 255; so have a few that differ.
    """

    forms: Keys
    lemmas: Keys
    beginnings: NDArray[np.uint8]

    @classmethod
    def of(cls, words: Sequence[tuple[str, str]], keys: Mapping[str, int]) -> "WordsInOrder":
        """(form, lemma) pairs; a word without a key gets 0, which is no term's."""
        return cls(
            np.array([keys.get(form, 0) for form, _ in words], dtype="<i4"),
            np.array([keys.get(lemma, 0) for _, lemma in words], dtype="<i4"),
            np.array([beginning(form) for form, _ in words], dtype=np.uint8),
        )

    @classmethod
    def unpacked(cls, packed: bytes) -> "WordsInOrder":
        raw = zlib.decompress(packed)
        words = len(raw) // 9
        forms, lemmas = np.frombuffer(raw, "<i4", 2 * words).reshape(2, words)
        return cls(forms, lemmas, np.frombuffer(raw, np.uint8, words, 8 * words))

    @classmethod
    def joined(cls, several: Sequence["WordsInOrder"]) -> "WordsInOrder":
        """One after the other."""
        return cls(*map(np.concatenate, zip(*several, strict=True)))

    def packed(self) -> bytes:
        """In about half the nine bytes that a word takes."""
        return zlib.compress(b"".join(row.tobytes() for row in self), 6)


@lru_cache(maxsize=100_000)
def beginning(form: str) -> int:
    return zlib.crc32(form[:LEAST].encode()) & 0xFF
