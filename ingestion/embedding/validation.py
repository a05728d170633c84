"""No vector goes into the index or the search that could not be compared with the others."""

import numpy as np
from django.utils.translation import gettext_lazy as _
from numpy.typing import NDArray

from ingestion.errors import InvalidEmbedding


def unit_vectors(vectors: NDArray[np.float32], *, count: int, dimension: int) -> NDArray[np.float32]:
    """`vectors` as shape (count, dimension), rows of Euclidean length 1, however long they came.

    Raises InvalidEmbedding for another shape, for numbers that are not finite, and for a vector of length 0.
    """
    if vectors.shape != (count, dimension):
        raise InvalidEmbedding(
            _("The model gave vectors of shape %(shape)s instead of %(expected)s.")
            % {"shape": "×".join(map(str, vectors.shape)), "expected": f"{count}×{dimension}"},
            remedy=_("The administrator should check EMBEDDING_MODEL and EMBEDDING_DIMENSION."),
        )
    vectors = vectors.astype(np.float32, copy=False)
    lengths = np.linalg.norm(vectors.astype(np.float64, copy=False), axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or (lengths == 0).any():
        raise InvalidEmbedding(
            _("The model gave a vector that is no direction: zeros, infinite or missing numbers."),
            remedy=_("The administrator should try EMBEDDING_DTYPE=float32, and another model if that does not help."),
        )
    unit: NDArray[np.float32] = (vectors / lengths).astype(np.float32)
    return unit
