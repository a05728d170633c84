"""Average-linkage agglomerative clustering (Sokal and Michener 1958, UPGMA)."""

import numpy as np
from numpy.typing import NDArray


def clusters(similarity: NDArray[np.float64], *, least: float) -> list[list[int]]:
    """Rows of `similarity` (n × n, symmetric) in groups; two groups whose members are on average more alike than
    `least` become one, the most alike first. Cubic in n: some 0.2 s for 500.
    """
    groups = {row: [row] for row in range(len(similarity))}
    alike = similarity.astype(float, copy=True)
    np.fill_diagonal(alike, -np.inf)
    while len(groups) > 1:
        first, second = divmod(int(alike.argmax()), len(alike))
        if alike[first, second] <= least:
            break
        here, there = len(groups[first]), len(groups[second])
        alike[first] = alike[:, first] = (here * alike[first] + there * alike[second]) / (here + there)
        alike[second] = alike[:, second] = alike[first, first] = -np.inf
        groups[first] += groups.pop(second)
    return [sorted(group) for group in groups.values()]
