"""The offline embedder: no model, no download, and no understanding either; it compares letters, not meanings."""

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ingestion.text.analyser import analyser

_NGRAM_SIZES = (3, 4)
_LEMMA_WEIGHT = 1.0
_NGRAM_WEIGHT = 0.5
_NONE = np.empty(0, np.int64), np.empty(0, np.float32)


class HashingEmbedder:
    """Signed feature hashing (Weinberger et al. 2009) of lemmas and of their character n-grams.

    Deterministic on every machine. Repeated words count by the square root.
    """

    template_version = 0
    cacheable = False  # hashing is cheaper than looking up
    # It ranks by the same letters as the lexical search, less well: a little of it, and nothing that is merely random.
    fusion: Mapping[str, str | float] = {
        "method": "weighted",
        "dense_weight": 0.15,
        "min_similarity": 0.25,
        "reranker": "features",
    }

    def __init__(self, dimension: int = 384) -> None:
        self.dimension = dimension
        self.name = f"hashing-{dimension}-1"
        self.identity = {"dimension": dimension}
        self._features = lru_cache(maxsize=100_000)(self._hash_features)
        self._is_stop_form = lru_cache(maxsize=100_000)(lambda form: analyser().is_stop_form(form))

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return (
            np.stack([self.embed_query(text) for text in texts]) if texts else np.empty((0, self.dimension), np.float32)
        )

    def embed_query(self, text: str) -> NDArray[np.float32]:
        counts: Counter[str] = Counter()
        for (form, lemma), count in Counter(analyser().words(text)).items():
            if not self._is_stop_form(form):
                counts[lemma] += count
        features = [_NONE, *map(self._features, counts)]
        weights = np.repeat(np.sqrt([0, *counts.values()]), [len(positions) for positions, _ in features])
        values = np.concatenate([values for _, values in features]) * weights
        positions = np.concatenate([positions for positions, _ in features])
        return unit_vector(np.bincount(positions, values, self.dimension))

    def embed_word(self, lemma: str) -> NDArray[np.float32]:
        """As a text that is this word would be."""
        positions, values = self._features(lemma)
        return unit_vector(np.bincount(positions, values, self.dimension))

    def _hash_features(self, lemma: str) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        grams = _ngrams(lemma)
        share = _NGRAM_WEIGHT / max(1, len(grams)) ** 0.5
        weighted = [(f"w:{lemma}", _LEMMA_WEIGHT), *((f"n:{gram}", share) for gram in grams)]
        hashes = [(zlib.crc32(feature.encode()), weight) for feature, weight in weighted]
        positions = np.array([(h >> 1) % self.dimension for h, _ in hashes], dtype=np.int64)
        return positions, np.array([w if h & 1 else -w for h, w in hashes], dtype=np.float32)


def unit_vector(vector: NDArray[Any]) -> NDArray[np.float32]:
    """`vector` at length 1; one of a text without words, which still needs a place on the sphere, for zeros."""
    length = float(np.linalg.norm(vector))
    if length == 0.0:
        vector[0] = length = 1.0
    return (vector / length).astype(np.float32)


def _ngrams(lemma: str) -> list[str]:
    padded = f"<{lemma}>"
    return [padded[i : i + size] for size in _NGRAM_SIZES for i in range(len(padded) - size + 1)]
