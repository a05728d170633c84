"""Any model that sentence-transformers can load: a name on the hub or a folder."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from django.core.exceptions import ImproperlyConfigured
from numpy.typing import NDArray

# Families trained with a prefix score badly without it: (query, passage).
_PREFIXES = {
    "e5": ("query: ", "passage: "),
    "mmlw": ("zapytanie: ", ""),
    "bge-m3": ("", ""),
}


class SentenceTransformerEmbedder:
    """`options` go to `SentenceTransformer` as they are (device, backend, model_kwargs with dtype ...)."""

    template_version = 1
    # `similarity_middle` is the cosine taken for an even chance of relevance; models differ, so set it for yours.
    fusion: Mapping[str, str | float] = {
        "method": "rrf",
        "dense_weight": 0.6,
        "min_similarity": 0.0,
        "similarity_middle": 0.6,
        "reranker": "none",
    }

    def __init__(
        self,
        model: str,
        *,
        query_prefix: str | None = None,
        passage_prefix: str | None = None,
        batch_size: int = 32,
        max_seq_length: int | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise ImproperlyConfigured(
                "The embedder sentence_transformers needs extra packages: pip install 'knowledgetree[neural]'."
            ) from error
        self._model = SentenceTransformer(model, **(options or {}))
        if max_seq_length:
            self._model.max_seq_length = max_seq_length
        self._batch_size = batch_size
        family = next((prefixes for key, prefixes in _PREFIXES.items() if key in model.lower()), ("", ""))
        self._query_prefix = family[0] if query_prefix is None else query_prefix
        self._passage_prefix = family[1] if passage_prefix is None else passage_prefix
        self.name = model
        self.identity = {
            "model": model,
            "query_prefix": self._query_prefix,
            "passage_prefix": self._passage_prefix,
            "max_seq_length": max_seq_length,
        }
        self.dimension = int(self._model.get_embedding_dimension() or 0)

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._encode([self._passage_prefix + text for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self._encode([self._query_prefix + text])[0]
        return vector

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        vectors = self._model.encode(
            texts, batch_size=self._batch_size, normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32).reshape(len(texts), self.dimension)
