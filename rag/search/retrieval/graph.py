"""Passages by what they name: a walk from the question's entities over chunks and the names they share."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from ingestion.models import Collection
from rag.search.query.names import possible_names
from rag.search.retrieval.filters import Condition
from rag.search.retrieval.lexical import CorpusStatistics
from rag.search.retrieval.neighbourhood import Neighbourhood, neighbourhood
from rag.search.retrieval.ranking import Hit

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


_DAMPING = 0.5  # HippoRAG's: half of the walk stays with what the question names


class GraphRetriever:
    """Needs no model and no vectors; sees only mentions in `collections`, so nothing else moves a score or a path.

    Scores are square roots of shares of the walk: a passage one name away has about a tenth of the share of those that
    the question names, and in a weighted fusion that tenth would say nothing.
    """

    def retrieve(
        self,
        question: str,
        *,
        collections: Sequence[Collection],
        statistics: CorpusStatistics,
        condition: Condition,
        limit: int,
    ) -> list[Hit]:
        """At most `limit`, best first; scores in (0, 1]. Empty where nothing known is named, or only what all name."""
        keys = [collection.pk for collection in collections]
        around = neighbourhood(
            possible_names(question, keys), collection_ids=keys, statistics=statistics, condition=condition
        )
        return _Walk.over(around).hits(limit) if around else []


@dataclass(frozen=True, slots=True, kw_only=True)
class _Walk:
    """`links` are entities × `chunks`; `entities` and `visits` are the shares of the walk spent at each."""

    around: Neighbourhood
    chunks: Sequence[int]
    links: csr_array
    entities: Vector
    visits: Vector

    @classmethod
    def over(cls, around: Neighbourhood) -> "_Walk":
        rows, keys, counts = zip(*around.mentions, strict=True)
        chunks, columns = np.unique(keys, return_inverse=True)
        idf = np.array([node.idf for node in around.nodes])
        weights = idf[list(rows)] * np.log1p(counts)
        links = csr_array((weights, (rows, columns)), shape=(len(idf), len(chunks)))
        named = links.sum(axis=1) > 0
        restart = np.where((np.arange(len(idf)) < around.seeds) & named, idf, 0.0)
        entities = np.zeros(len(idf))
        entities[named], visits = personalised_pagerank(links[named], restart[named], damping=_DAMPING)
        return cls(around=around, chunks=chunks.tolist(), links=links, entities=entities, visits=visits)

    def hits(self, limit: int) -> list[Hit]:
        best = np.lexsort((np.array(self.chunks), -self.visits))[:limit]
        by_chunk = self.links.tocsc()
        return [
            Hit(self.chunks[column], float(self.visits[column] ** 0.5), path=self._path(by_chunk, column))
            for column in best
        ]

    def _path(self, by_chunk: csr_array, column: int) -> tuple[str, ...]:
        """The question's names in the chunk, or the name it shares with a chunk that has one, after that one."""
        here = slice(by_chunk.indptr[column], by_chunk.indptr[column + 1])
        nodes, weights = by_chunk.indices[here], by_chunk.data[here]
        shared = int(nodes[np.argmax(self.entities[nodes] * weights)])
        own = sorted(int(node) for node in nodes if node < self.around.seeds)
        if own:
            return (self.around.nodes[max(own, key=lambda node: self.entities[node])].name,)
        together = self.links[: self.around.seeds] @ self.links[[shared]].T
        return self.around.nodes[int(together.toarray().argmax())].name, self.around.nodes[shared].name
