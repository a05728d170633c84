"""A model behind an HTTP endpoint: OpenAI-compatible, or Text Embeddings Inference."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import Any

import numpy as np
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext_lazy as _
from numpy.typing import NDArray

from ingestion.embedding.dialects import Dialect, OpenAIDialect, TEIDialect
from ingestion.embedding.endpoint import Endpoint
from ingestion.embedding.fusion import BY_MEANING
from ingestion.embedding.prefixes import prefixes_of
from ingestion.embedding.rate import Patience
from ingestion.embedding.validation import unit_vectors
from ingestion.errors import InvalidEmbedding

_ASKING = Patience(retries=1, backoff=0.2, longest=1.0)  # somebody waits for the answer of a question


class HTTPEmbedder:
    """Asks `url` for vectors; `dialect` is `openai` or `tei`.

    `dimension` 0: measured by one request when it is first wanted. `shorten` asks an OpenAI-compatible server for
    `dimension` numbers instead of the model's own count. A request takes at most `batch_size` texts and
    `batch_characters` characters; `concurrency` of them run at a time, `requests_per_minute` (0: no limit) start.
    A prefix of None: that of the model's family. Errors: see `ingestion.embedding.endpoint.Endpoint.post`.
    """

    template_version = 1
    cacheable = True
    fusion = BY_MEANING

    def __init__(
        self,
        model: str,
        *,
        url: str,
        dialect: str = "openai",
        api_key: str = "",
        dimension: int = 0,
        shorten: bool = False,
        encoding_format: str = "float",
        truncate: bool = True,
        query_prefix: str | None = None,
        passage_prefix: str | None = None,
        batch_size: int = 0,
        batch_characters: int = 60_000,
        concurrency: int = 4,
        requests_per_minute: int = 0,
        connect_timeout: float = 5.0,
        timeout: float = 60.0,
        retries: int = 5,
        backoff: float = 0.5,
        max_wait: float = 60.0,
    ) -> None:
        if not url:
            raise ImproperlyConfigured("The embedder http needs EMBEDDING_URL, the address of the embedding service.")
        if shorten and not dimension:
            raise ImproperlyConfigured("shorten asks for `dimension` numbers; set EMBEDDING_DIMENSION.")
        self._dialect = _dialect(dialect, model, dimension if shorten else 0, encoding_format, truncate)
        self._endpoint = Endpoint(
            url,
            self._dialect.path,
            api_key=api_key,
            connect_timeout=connect_timeout,
            timeout=timeout,
            requests_per_minute=requests_per_minute,
        )
        self._given_dimension, self._shorten = dimension, shorten
        self._texts, self._characters = batch_size or 32, batch_characters
        self._patience = Patience(retries=retries, backoff=backoff, longest=max_wait)
        self._requests = ThreadPoolExecutor(max_workers=max(1, concurrency), thread_name_prefix="embedding")
        prefixes = prefixes_of(model)
        self._query_prefix = prefixes.query if query_prefix is None else query_prefix
        self._passage_prefix = prefixes.passage if passage_prefix is None else passage_prefix
        self.name = model

    @cached_property
    def dimension(self) -> int:
        """As given; else that of the vector of a sample."""
        return self._given_dimension or self._request(["wymiar"], self._patience).shape[1]

    @property
    def identity(self) -> Mapping[str, Any]:
        """Neither address nor key: the same model may answer elsewhere tomorrow."""
        return {
            "model": self.name,
            "dimension": self.dimension,
            "shorten": self._shorten,
            "query_prefix": self._query_prefix,
            "passage_prefix": self._passage_prefix,
        }

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """The first error is raised; requests that wait behind it are not made any more."""
        batches = list(self._batches([self._passage_prefix + text for text in texts]))
        asked = [self._requests.submit(self._unit, batch, self._patience) for batch in batches]
        try:
            vectors = [request.result() for request in asked]
        finally:
            for request in asked:
                request.cancel()
        return np.concatenate(vectors) if vectors else np.empty((0, self.dimension), dtype=np.float32)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self._unit([self._query_prefix + text], _ASKING)[0]
        return vector

    def _batches(self, texts: Sequence[str]) -> Iterator[list[str]]:
        batch: list[str] = []
        characters = 0
        for text in texts:
            if batch and (len(batch) == self._texts or characters + len(text) > self._characters):
                yield batch
                batch, characters = [], 0
            batch.append(text)
            characters += len(text)
        if batch:
            yield batch

    def _unit(self, texts: Sequence[str], patience: Patience) -> NDArray[np.float32]:
        return unit_vectors(self._request(texts, patience), count=len(texts), dimension=self.dimension)

    def _request(self, texts: Sequence[str], patience: Patience) -> NDArray[np.float32]:
        """Shape (len(texts), whatever the server gives)."""
        reply = self._endpoint.post(self._dialect.request([text or " " for text in texts]), patience)
        try:
            vectors = np.stack(self._dialect.vectors(reply))
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidEmbedding(_("The embedding service gave something else than vectors.")) from error
        if len(vectors) != len(texts):
            raise InvalidEmbedding(
                _("The embedding service gave %(given)d vectors for %(asked)d texts.")
                % {"given": len(vectors), "asked": len(texts)}
            )
        return vectors


def _dialect(name: str, model: str, dimensions: int, encoding_format: str, truncate: bool) -> Dialect:
    if name == "openai":
        return OpenAIDialect(model=model, dimensions=dimensions, encoding_format=encoding_format)
    if name == "tei":
        return TEIDialect(truncate=truncate)
    raise ImproperlyConfigured(f"EMBEDDING_DIALECT={name!r} is neither openai nor tei.")
