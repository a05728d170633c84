"""Vectors in the text form that pgvector reads."""

import numpy as np
from numpy.typing import NDArray


def vector_literal(vector: NDArray[np.float32]) -> str:
    """`[0.12,-0.5,...]`, seven significant digits: more than single precision keeps."""
    return "[" + ",".join(f"{value:.7g}" for value in vector) + "]"
