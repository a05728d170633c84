"""The embedder that comes with the program: it compares what words mean, without a model and without a download."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ingestion.embedding.hashing import HashingEmbedder, unit_vector
from ingestion.text.analyser import analyser
from ingestion.text.meaning.vocabulary import topical_lemmas, vocabulary

_STRANGE = 4.5  # nats, what a word without a vector weighs: half of the rarest


class WordVectorEmbedder:
    """The weighted sum of the vectors of a text's words (`ingestion.text.meaning.vocabulary`).

    Words that have none, names and codes, are told apart by their letters, as `HashingEmbedder` does.
    """

    template_version = 0
    cacheable = False
    # Nearness decides by its own weight among the signals of the reranker; here it only brings candidates.
    fusion: Mapping[str, str | float] = {
        "method": "weighted",
        "dense_weight": 0.15,
        "min_similarity": 0.15,
        "reranker": "features",
        "meaning": 1,
    }

    def __init__(self) -> None:
        self._vocabulary = vocabulary()
        self.dimension = self._vocabulary.dimension
        self.name = f"word-vectors-{self._vocabulary.digest}"
        self.identity: Mapping[str, int] = {}
        self._letters = HashingEmbedder(self.dimension)
        self._strange = lru_cache(maxsize=100_000)(self._by_letters)

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return (
            np.stack([self.embed_query(text) for text in texts]) if texts else np.empty((0, self.dimension), np.float32)
        )

    def embed_query(self, text: str) -> NDArray[np.float32]:
        counts = topical_lemmas(analyser().words(text))
        vector = self._vocabulary.sum_of(counts)
        for lemma, count in counts.items():
            if lemma not in self._vocabulary.rows:
                vector += np.float32(count**0.5) * self._strange(lemma)
        return unit_vector(vector)

    def _by_letters(self, lemma: str) -> NDArray[np.float32]:
        return np.float32(_STRANGE) * self._letters.embed_word(lemma)
