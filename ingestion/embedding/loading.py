"""Loads a sentence-transformers model, or says in a sentence what is missing."""

import importlib.util
import sys
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ImproperlyConfigured

_DTYPES = ("auto", "bfloat16", "float16", "float32")
_PACKAGES = {  # of each backend: what has to be importable, what to install
    "torch": (("sentence_transformers",), "knowledgetree[neural]"),
    "onnx": (("onnxruntime", "optimum.onnxruntime"), "knowledgetree[onnx]"),
    "openvino": (("openvino", "optimum.intel"), "knowledgetree[openvino]"),
}


def load_model(
    model: str, *, device: str, dtype: str, backend: str, max_seq_length: int | None, options: Mapping[str, Any]
) -> Any:
    """A `SentenceTransformer`. Raises ImproperlyConfigured with the remedy."""
    backend = options.get("backend", backend)
    _check(dtype=dtype, backend=backend)
    if backend == "openvino":
        refuse_reports()
    from sentence_transformers import SentenceTransformer

    keywords = {**options, "backend": backend}
    if device:
        keywords["device"] = device
    if dtype:
        keywords["model_kwargs"] = {**options.get("model_kwargs", {}), "dtype": dtype}
    try:
        loaded = SentenceTransformer(model, **keywords)
    except Exception as error:  # of four libraries; a device that is not there is an AssertionError
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
        modules, wanted = _PACKAGES[name]
        if not all(map(_is_importable, modules)):
            raise ImproperlyConfigured(
                f"The embedder sentence_transformers needs extra packages with {backend}: pip install '{wanted}'."
            )


def refuse_reports() -> None:
    """OpenVINO reports each start to its maker unless somebody declined, and does without where this is missing."""
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]  # import then raises ImportError


def _is_importable(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # the package that it would stand in
        return False


def _first_line(error: Exception) -> str:
    return next(iter(str(error).splitlines()), type(error).__name__).rstrip(".") + "."
