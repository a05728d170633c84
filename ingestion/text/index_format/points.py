"""What a chunk is in Qdrant: the numbers of words among a sparse vector's, what each weighs, the names of vectors.

A chunk is the point of its number. Its sparse vector `WORDS` has two dimensions a term: as a lemma and as a form. What
stands there is BM25's part of the chunk, count / (count + norm); a question's vector has the other part, weight times
idf, so that their product is the score.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ingestion.models import EngineGeneration

WORDS = "words"
KEPT_DIGITS = 1e-3
"""Of a weight: it is stored in half precision, 11 bits."""

Numbers = NDArray[np.int64]


def lemma_dimension(term: int) -> int:
    return 2 * term


def form_dimension(term: int) -> int:
    return 2 * term + 1


def vector_name(space: int) -> str:
    """The vector of the whole chunk in an embedding space."""
    return f"space-{space}"


def sentences_name(space: int) -> str:
    """The vectors of the chunk and of its sentences, where the space has those."""
    return f"space-{space}-sentences"


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthNorm:
    """BM25's k1 * (1 - b + b * length / mean length), which is added to the count of a word below the line."""

    k1: float
    b: float
    mean_length: float

    @classmethod
    def of(cls, generation: EngineGeneration) -> "LengthNorm":
        """The one that its words were weighed by."""
        return cls(k1=generation.k1, b=generation.b, mean_length=generation.mean_length)

    @property
    def least(self) -> float:
        return self.k1 * (1 - self.b)

    @property
    def of_a_word(self) -> float:
        return self.k1 * self.b / (self.mean_length or 1.0)

    def weights(self, counts: Numbers, length: int) -> NDArray[np.float64]:
        """What so many occurrences weigh in a chunk of `length` words, in [0, 1)."""
        return counts / (counts + (self.least + self.of_a_word * length))

    def most_gained(self, other: "LengthNorm") -> float:
        """At most so many times its weight under this norm does a word weigh under the `other`; 1 or more.

        (n + K) / (n + K') <= max(1, K / K'), and a ratio of sums is no greater than the greatest of the ratios.
        """
        pairs = ((self.least, other.least), (self.of_a_word, other.of_a_word))
        return max(1.0, *(ours / its if its else float("inf") for ours, its in pairs if ours))
