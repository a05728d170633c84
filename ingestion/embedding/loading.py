"""Loads a sentence-transformers model, or says in a sentence what is missing."""

import importlib.util
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ImproperlyConfigured

_DTYPES = ("auto", "bfloat16", "float16", "float32")
_PACKAGES = {  # of each backend: what has to be importable, what to install
    "torch": ("sentence_transformers", "knowledgetree[neural]"),
    "onnx": ("onnxruntime", "sentence-transformers[onnx]"),
    "openvino": ("openvino", "sentence-transformers[openvino]"),
}


def load_model(
    model: str, *, device: str, dtype: str, backend: str, max_seq_length: int | None, options: Mapping[str, Any]
) -> Any:
    """A `SentenceTransformer`. Raises ImproperlyConfigured with the remedy."""
    backend = options.get("backend", backend)
    _check(dtype=dtype, backend=backend)
    from sentence_transformers import SentenceTransformer

    keywords = {**options, "backend": backend}
    if device:
        keywords["device"] = device
    if dtype:
        keywords["model_kwargs"] = {**options.get("model_kwargs", {}), "dtype": dtype}
    try:
        loaded = SentenceTransformer(model, **keywords)
    except (OSError, ValueError, RuntimeError, ImportError) as error:
        raise ImproperlyConfigured(
            f"The embedding model {model!r} cannot be loaded: {_first_line(error)} EMBEDDING_MODEL is a name on the "
            "model hub or a folder; without a way to the hub, download the model elsewhere and give its folder."
        ) from error
    if max_seq_length:
        loaded.max_seq_length = max_seq_length
    return loaded


def _check(*, dtype: str, backend: str) -> None:
    if backend not in _PACKAGES:
        raise ImproperlyConfigured(f"EMBEDDING_BACKEND={backend!r} is none of {', '.join(_PACKAGES)}.")
    if dtype and dtype not in _DTYPES:
        raise ImproperlyConfigured(f"EMBEDDING_DTYPE={dtype!r} is none of {', '.join(_DTYPES)}.")
    if dtype and backend != "torch":
        raise ImproperlyConfigured(
            f"EMBEDDING_DTYPE is for torch; with {backend} choose a file: options.model_kwargs.file_name."
        )
    for name in ("torch", backend):
        package, wanted = _PACKAGES[name]
        if importlib.util.find_spec(package) is None:
            raise ImproperlyConfigured(
                f"The embedder sentence_transformers needs extra packages with {backend}: pip install '{wanted}'."
            )


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__).rstrip(".") + "."
