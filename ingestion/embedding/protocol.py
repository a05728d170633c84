"""What an embedder promises."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Embedder(Protocol):
    """Texts as unit vectors. `name` identifies the model: equal names give equal vectors.

    `identity` are the options of the constructor that decide the vectors: a space keeps them, so that it goes on when
    the settings change. `template_version` is the version of `ingestion.embedding.template` that suits it; `fusion` is
    how its ranking is first joined with the lexical one (keys of `EmbeddingSpace.fusion`). `cacheable` says whether a
    vector is dearer than its look-up.
    """

    name: str
    identity: Mapping[str, Any]
    dimension: int
    template_version: int
    fusion: Mapping[str, str | float]
    cacheable: bool

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Shape (len(texts), dimension), rows of Euclidean length 1."""

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Shape (dimension,), Euclidean length 1."""
