"""Personalised PageRank between entities and chunks (Haveliwala 2002; HippoRAG, Gutiérrez et al. 2024)."""

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

Vector = NDArray[np.float64]

_TOLERANCE = 1e-6
_MAX_STEPS = 50


def personalised_pagerank(links: csr_array, restart: Vector, *, damping: float) -> tuple[Vector, Vector]:
    """How often a walk is at each entity and at each chunk; each of the two sums to 1.

    `links`, entities × chunks, are weights above 0; every entity and every chunk has one at least. The walker goes from
    an entity to a chunk and back, by weight; after each return it goes on with probability `damping`, in [0, 1), else
    begins anew at an entity by the shares `restart`.
    """
    to_chunks = links.multiply(1 / links.sum(axis=1)[:, None]).T.tocsr()
    to_entities = links.multiply(1 / links.sum(axis=0)[None, :]).tocsr()
    start = restart / restart.sum()
    entities, chunks = start, to_chunks @ start
    for _ in range(_MAX_STEPS):
        walked = (1 - damping) * start + damping * (to_entities @ chunks)
        change = np.abs(walked - entities).sum()
        entities, chunks = walked, to_chunks @ walked
        if change < _TOLERANCE:
            break
    return entities, chunks
