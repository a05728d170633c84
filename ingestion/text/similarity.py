"""MinHash sketches (Broder 1997): texts that say nearly the same have nearly the same sketch.

A text is the set of its runs of three words. Of these, each of 128 hash functions keeps the least value; the share of
values that two sketches have in common estimates the Jaccard index of the sets, with a standard error below 0.045.
Bands of three values find candidates (locality-sensitive hashing): with a Jaccard index of 0.6, as after a change of
one word in ten, a band agrees in all but one pair of 30,000; with 0.2 in every third pair.
"""

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

NEAR = 0.8
"""From this similarity on, two texts are near-duplicates: four words of five are the same."""

SHINGLE = 3  # words; with five, a change of one word in five hides most pairs (measured in tests/ingestion)
_VALUES, _ROWS = 128, 3
_BANDS = _VALUES // _ROWS
_WORD = re.compile(r"[^\W_]+")
_BLOCK = 4096  # shingles hashed at once: two megabytes

_random = np.random.default_rng(2026)  # the same functions for ever: stored sketches are compared with new ones
_FACTORS = (_random.integers(1, 2**63, _VALUES, dtype=np.uint64) << np.uint64(1)) | np.uint64(1)
_SHIFTS = _random.integers(0, 2**63, _VALUES, dtype=np.uint64)
_MIX = np.uint64(0x9E3779B97F4A7C15)

Signature = NDArray[np.uint32]
"""Shape (128,)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sketched:
    """`signature` as stored, `bands` the keys under which candidates are looked up."""

    signature: bytes
    bands: tuple[int, ...]


def sketch(text: str) -> Sketched | None:
    """None for a text without words. Case, punctuation and white space do not count."""
    return _sketched(_shingles(_word_hashes(text)))


def joined(sketches: Sequence[Sketched]) -> Sketched | None:
    """The sketch of all the texts as one: the least of the least values. None where there are no sketches."""
    if len(sketches) <= 1:
        return sketches[0] if sketches else None
    return _of_signature(np.stack([np.frombuffer(one.signature, "<u4") for one in sketches]).min(axis=0))


def similarity(one: bytes, other: bytes) -> float:
    """The estimated share of words in [0, 1] that two texts have in common: of runs of n words that survive when a
    share p of all words is kept, p to the power of n is left.
    """
    jaccard = float(np.mean(np.frombuffer(one, "<u4") == np.frombuffer(other, "<u4")))
    return float((2 * jaccard / (1 + jaccard)) ** (1 / SHINGLE))


def _sketched(shingles: NDArray[np.uint64]) -> Sketched | None:
    if not shingles.size:
        return None
    least = np.full(_VALUES, np.iinfo(np.uint64).max, dtype=np.uint64)
    for start in range(0, shingles.size, _BLOCK):
        hashed = shingles[start : start + _BLOCK, None] * _FACTORS
        hashed += _SHIFTS
        least = np.minimum(least, hashed.min(axis=0))
    return _of_signature((least >> np.uint64(32)).astype(np.uint32))


def _of_signature(signature: Signature) -> Sketched:
    return Sketched(signature=signature.astype("<u4").tobytes(), bands=_bands(signature))


def _bands(signature: Signature) -> tuple[int, ...]:
    raw, size = signature.astype("<u4").tobytes(), _ROWS * 4
    hashed = [zlib.crc32(raw[band * size : (band + 1) * size], band) for band in range(_BANDS)]
    return tuple(map(_signed, hashed))


def _signed(value: int) -> int:
    """As PostgreSQL's integer."""
    return value - 2**32 if value >= 2**31 else value


def _word_hashes(text: str) -> NDArray[np.uint64]:
    return np.array(list(map(_word_hash, _WORD.findall(text.lower()))), dtype=np.uint64)


@lru_cache(maxsize=100_000)
def _word_hash(word: str) -> int:
    raw = word.encode(errors="surrogatepass")
    return zlib.crc32(raw) | zlib.crc32(raw, 0x5BD1E995) << 32


def _shingles(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The distinct runs of three words; of a shorter text, the one run that it is."""
    runs = max(words.size - SHINGLE + 1, min(words.size, 1))
    hashes = np.zeros(runs, dtype=np.uint64)
    for offset in range(min(SHINGLE, words.size)):
        hashes = (hashes ^ words[offset : offset + runs]) * _MIX
        hashes ^= hashes >> np.uint64(29)
    return np.unique(hashes)
