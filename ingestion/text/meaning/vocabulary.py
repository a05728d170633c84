"""Vectors of single Polish words, learnt from which words belong together.

The lexicon's groups and the entries of `associations.txt` and `situations.txt`, all written for the program, say which
do. Their positive pointwise mutual information, factorised (Levy & Goldberg 2014), gives each word a place.
From there places and weights learnt to lead from questions to what answers them (`benchmarks/word_vectors.py`). A text
is the weighted sum of its words.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ingestion.text.analyser import Word, analyser

_FOLDER = Path(__file__).parent
_SCALE = 127  # a component of 1 as a byte
_THOUSANDTHS = 1000
_NEAR = 0.3  # a cosine from which on two words have something in common


class WordVectors(NamedTuple):
    """Unit vectors of words as bytes, shape (words, dimension); by lemma its row; by row its lemma and its weight, in
    nats. `neighbours`, shape (words, 2, many), has by row the rows of the nearest words, best first, and their cosines
    in thousandths. `digest` changes with the words, their weights and their vectors.
    """

    digest: str
    vectors: NDArray[np.int8]
    neighbours: NDArray[np.uint16]
    rows: Mapping[str, int]
    lemmas: Sequence[str]
    weights: NDArray[np.float32]

    @property
    def dimension(self) -> int:
        return int(self.vectors.shape[1])

    def sum_of(self, counts: Mapping[str, int]) -> NDArray[np.float32]:
        """The weighted sum of the vectors of these lemmas, shape (dimension,); zeros where none is known. Repeated ones
        count by the square root.
        """
        known = [lemma for lemma in counts if lemma in self.rows]
        rows = [self.rows[lemma] for lemma in known]
        times = np.sqrt([counts[lemma] for lemma in known])
        total = (times * self.weights[rows] / _SCALE) @ self.vectors[rows]
        return np.asarray(total, np.float32)

    def near(self, lemma: str) -> Mapping[str, float]:
        """The lemmas that lie nearest to this one, each with its cosine, in [0.3, 1); none of one that is not known."""
        if lemma not in self.rows:
            return {}
        rows, thousandths = self.neighbours[self.rows[lemma]]
        pairs = zip(rows.tolist(), (thousandths / _THOUSANDTHS).tolist(), strict=True)
        return {self.lemmas[row]: cosine for row, cosine in pairs if cosine >= _NEAR}


def topical_lemmas(words: Iterable[Word]) -> Counter[str]:
    """How often each lemma stands in a text, those without a topic left out."""
    is_stop_form = analyser().is_stop_form
    return Counter(lemma for form, lemma in words if not is_stop_form(form))


def meaning_of_text(text: str) -> NDArray[np.float32]:
    """The vectors of its words added up, at length 1, or zeros; two of them multiplied are a cosine."""
    total = vocabulary().sum_of(topical_lemmas(analyser().words(text)))
    return total / (np.linalg.norm(total) or 1.0)


@lru_cache(maxsize=1)
def vocabulary() -> WordVectors:
    """The shipped one; its vectors stay in the file's pages, which processes share."""
    words, vectors, neighbours = (_FOLDER / name for name in ("words.txt", "vectors.npy", "neighbours.npy"))
    lines = words.read_text(encoding="utf-8").splitlines()
    entries = [line.split("\t") for line in lines if not line.startswith("#")]
    return WordVectors(
        digest=hashlib.sha256(words.read_bytes() + vectors.read_bytes()).hexdigest()[:8],
        vectors=np.load(vectors, mmap_mode="r"),
        neighbours=np.load(neighbours, mmap_mode="r"),
        lemmas=[word for word, *_ in entries],
        rows={word: row for row, (word, *_) in enumerate(entries)},
        weights=np.array([float(weight) for _, weight, *_ in entries], np.float32),
    )
