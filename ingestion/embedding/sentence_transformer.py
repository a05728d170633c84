"""Any model that sentence-transformers can load: a name on the hub or a folder."""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from threading import Lock
from typing import Any

import numpy as np
from django.core.exceptions import ImproperlyConfigured
from numpy.typing import NDArray

from ingestion.embedding.encoder import Encoder
from ingestion.embedding.fusion import BY_MEANING
from ingestion.embedding.loading import load_model
from ingestion.embedding.prefixes import prefixes_of
from ingestion.embedding.validation import unit_vectors

_loading = Lock()


class SentenceTransformerEmbedder:
    """Vectors come normalised, whatever the model does. Safe to call from several threads.

    `device`: torch's name, empty for the best there is; `dtype`: float32, float16, bfloat16, auto; `backend`: torch,
    onnx, openvino; `batch_size` 0: measured on the first texts; `max_seq_length` in tokens, 0: what the model takes;
    `truncate_dim`: only so many of a vector's first numbers, for models trained for that, 0: all, None: as `options`
    say. A prefix of None: the one that the model ships, else its family's. `options` go to `SentenceTransformer` as
    they are. Raises ImproperlyConfigured where the model cannot be loaded or gives no vectors.
    """

    template_version = 1
    cacheable = True
    fusion = BY_MEANING

    def __init__(
        self,
        model: str,
        *,
        query_prefix: str | None = None,
        passage_prefix: str | None = None,
        device: str = "",
        dtype: str = "",
        backend: str = "torch",
        batch_size: int = 0,
        max_seq_length: int | None = None,
        truncate_dim: int | None = None,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        how = {"device": device, "dtype": dtype, "backend": backend, "max_seq_length": max_seq_length or None}
        given = dict(options or {})
        configured = given.pop("truncate_dim", None)
        shortened = int((configured if truncate_dim is None else truncate_dim) or 0)
        if shortened:
            given["truncate_dim"] = shortened
        with _loading:
            loaded, self._encoder = _loaded(model, batch_size, json.dumps({**how, "options": given}))
        self.dimension = int(loaded.get_embedding_dimension() or 0)
        if not self.dimension:
            raise ImproperlyConfigured(f"EMBEDDING_MODEL={model!r} gives no vectors of texts; choose another model.")
        prefixes = prefixes_of(model, prompts=loaded.prompts)
        self._query_prefix = prefixes.query if query_prefix is None else query_prefix
        self._passage_prefix = prefixes.passage if passage_prefix is None else passage_prefix
        self.name = model
        self.identity = {
            "model": model,
            "query_prefix": self._query_prefix,
            "passage_prefix": self._passage_prefix,
            "max_seq_length": max_seq_length or None,
            "truncate_dim": shortened,
        }

    @property
    def batch_size(self) -> int:
        """The texts of a batch: given, or the best of those measured so far."""
        return self._encoder.batch_size

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._encode([self._passage_prefix + text for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self._encode([self._query_prefix + text])[0]
        return vector

    def _encode(self, texts: list[str]) -> NDArray[np.float32]:
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return unit_vectors(self._encoder.encode(texts), count=len(texts), dimension=self.dimension)


@lru_cache(maxsize=4)
def _loaded(model: str, batch_size: int, keywords: str) -> tuple[Any, Encoder]:
    """The model with its encoder, once a process: a space's embedder and the one of the settings share it."""
    loaded = load_model(model, **json.loads(keywords))
    loaded.default_prompt_name = None  # prefixes are ours; a default prompt would come before them
    return loaded, Encoder(loaded, batch_size=batch_size)
