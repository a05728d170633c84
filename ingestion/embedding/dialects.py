"""What embedding servers are asked, and where their vectors stand in the reply.

OpenAI: https://platform.openai.com/docs/api-reference/embeddings (also vLLM, Ollama, LocalAI, Infinity).
TEI: https://huggingface.github.io/text-embeddings-inference, `/embed`.
"""

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Dialect(Protocol):
    """`path` is appended to the address unless it stands there already."""

    @property
    def path(self) -> str: ...

    def request(self, texts: Sequence[str]) -> dict[str, Any]:
        """The body of a request."""

    def vectors(self, reply: Any) -> list[NDArray[np.float32]]:
        """In the order of the texts. Raises KeyError, TypeError or ValueError for a reply of another form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAIDialect:
    """`dimensions` 0: the model's own. Vectors come as numbers or in base64, as `encoding_format` asks."""

    model: str
    dimensions: int = 0
    encoding_format: str = "float"
    path: str = "/embeddings"

    def request(self, texts: Sequence[str]) -> dict[str, Any]:
        body = {"model": self.model, "input": list(texts), "encoding_format": self.encoding_format}
        return body | ({"dimensions": self.dimensions} if self.dimensions else {})

    def vectors(self, reply: Any) -> list[NDArray[np.float32]]:
        by_index = {int(item["index"]): _vector(item["embedding"]) for item in reply["data"]}
        if len(by_index) != len(reply["data"]):
            raise ValueError("an index came twice")
        return [by_index[place] for place in range(len(by_index))]


@dataclass(frozen=True, slots=True, kw_only=True)
class TEIDialect:
    """`truncate`: the server cuts a text that is too long for the model; otherwise it refuses it."""

    truncate: bool = True
    path: str = "/embed"

    def request(self, texts: Sequence[str]) -> dict[str, Any]:
        return {"inputs": list(texts), "truncate": self.truncate}

    def vectors(self, reply: Any) -> list[NDArray[np.float32]]:
        if not isinstance(reply, list):
            raise TypeError("not a list")
        return [_vector(item) for item in reply]


def _vector(value: Any) -> NDArray[np.float32]:
    """A list of numbers, or base64 of little-endian single-precision ones."""
    if isinstance(value, str):
        return np.frombuffer(base64.b64decode(value, validate=True), dtype="<f4").astype(np.float32)
    vector = np.asarray(value, dtype=np.float32)
    if vector.ndim != 1:
        raise ValueError("not a vector")
    return vector
