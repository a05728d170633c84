"""Documents that are about the same, in groups: near neighbours, then Louvain."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_array

if TYPE_CHECKING:  # networkx is loaded where it is used
    from networkx import Graph

NEIGHBOURS = 4
LEAST = 0.08
"""The cosine from which documents are neighbours."""
LARGEST = 30
"""A larger group is no one subject any more, and is grouped again within itself."""
_SMALLEST = 2
_SEED = 2026  # the same documents, the same groups


def groups_of(documents: Sequence[int], rows: csr_array) -> list[tuple[int, ...]]:
    """Groups of two documents and more, none in two, the largest first; who has no neighbour is in none.

    Row i of `rows`, of length 1, says what `documents[i]` is about. Louvain: Blondel et al. 2008, arXiv:0803.0476.
    """
    graph = _graph(rows)
    found = [tuple(sorted(documents[node] for node in group)) for group in _groups(graph)]
    return sorted((group for group in found if len(group) >= _SMALLEST), key=lambda group: (-len(group), group))


def _groups(graph: "Graph[int]") -> Iterator[set[int]]:
    from networkx.algorithms.community import louvain_communities

    for group in louvain_communities(graph, weight="weight", seed=_SEED):
        if len(group) <= LARGEST or len(group) == len(graph):
            yield group
        else:
            yield from _groups(graph.subgraph(sorted(group)).copy())


def _graph(rows: csr_array) -> "Graph[int]":
    from networkx import Graph

    graph: Graph[int] = Graph()
    graph.add_nodes_from(range(rows.shape[0]))
    for one, other, cosine in _neighbours(rows):
        graph.add_edge(one, other, weight=cosine)
    return graph


def _neighbours(rows: csr_array) -> Iterator[tuple[int, int, float]]:
    """The nearest of each document that are near at all; row by row, since all pairs would not fit into memory."""
    for row in range(rows.shape[0]):
        cosines = (rows[[row]] @ rows.T).toarray()[0]
        cosines[row] = 0.0
        for other in np.argsort(-cosines, kind="stable")[:NEIGHBOURS]:
            if cosines[other] >= LEAST:
                yield row, int(other), float(cosines[other])
