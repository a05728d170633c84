"""How many chunks a search may return, estimated in a millisecond or two, and what that means for its vector index."""

from collections.abc import Sequence
from dataclasses import dataclass

from knowledgetree.postgres.prepared_statements import fetch
from rag.search.retrieval.filters import Condition
from rag.search.retrieval.lexical import CorpusStatistics

_SAMPLE = 5000
"""Documents an estimate looks at: a share of 1 % is then known to 0.15 points."""

# By the vectors that are compared. Measured at 100k x 1024: a chunk read for the exact scan, whose vector lies in
# TOAST, costs what four nodes of the graph do; for one chunk in order the graph visits about ten nodes.
_NODES_A_ROW = 4
_NODES_A_NAMED_ROW = 0.6  # at 24k x 384: nothing is joined, and a vector of up to 2 KB lies in its row
_NODES_A_KNOWN_ROW = 0.05  # at 100k x 384: one in the memory of the process is multiplied in 0.15 microseconds
_FEW_ROWS = 500  # not worth the memory
_INLINE = 490  # numbers of four bytes in 2 KB
_NODES_A_CHUNK = 10
_MOST_NODES = 100_000  # a quarter of a second
_MOST_ROWS = 20_000  # of an exact scan after an index that found too little: another quarter

# Always the same pages, so that they are in memory and the same filter always gets the same plan.
_SHARE = """
SELECT coalesce(sum(d.chunk_count) FILTER (WHERE {documents}) / nullif(sum(d.chunk_count), 0)::float8, 0)
FROM ingestion_document d TABLESAMPLE SYSTEM (
    (SELECT 100 * least(1, %s / greatest(reltuples, 1)) FROM pg_class WHERE oid = 'ingestion_document'::regclass)
) REPEATABLE (0)
WHERE d.collection_id = ANY(%s)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selectivity:
    """About `passing` chunks meet the condition, the `share` in [0, 1] of all that are indexed."""

    passing: int
    share: float

    def favours_exact(self, limit: int, *, named: bool = False, dimension: int = 0) -> bool:
        """Whether comparing every passing chunk, all of them `named` or not, costs less than walking the graph until
        `limit` of them have come.
        """
        nodes = limit * _NODES_A_CHUNK / self.share if self.share else float("inf")
        return self.passing * (_NODES_A_NAMED_ROW if named and dimension <= _INLINE else _NODES_A_ROW) <= nodes

    def favours_memory(self, limit: int) -> bool:
        """Whether multiplying every passing chunk in the memory of the process costs less than the graph."""
        return self.passing > _FEW_ROWS and self.passing * _NODES_A_KNOWN_ROW * self.share <= limit * _NODES_A_CHUNK

    @property
    def max_scan_tuples(self) -> int:
        """Nodes worth visiting: no more than the exact scan would cost. What lies far from the question, such as the
        documents of another topic, is then found in twice the time of the exact scan at most.
        """
        return max(1, min(_MOST_NODES, self.passing * _NODES_A_ROW))

    @property
    def allows_exact(self) -> bool:
        """Whether an exact scan may follow an index that found too few."""
        return self.passing <= _MOST_ROWS


def selectivity(condition: Condition, collection_ids: Sequence[int], statistics: CorpusStatistics) -> Selectivity:
    """Estimated from the counts kept per collection and, where a filter looks at documents, a sample of these. What
    rights alone hide is known.

    What the condition asks of a chunk's text is not estimated: few chunks may then pass of many.
    """
    share = 1.0
    if condition.asks_rights_alone and statistics.hidden is not None:
        share -= statistics.hidden / max(1, statistics.chunks)
    elif condition.documents and statistics.chunks:
        sql = _SHARE.format(documents=condition.documents.sql)
        share = fetch(sql, [*condition.documents.parameters, _SAMPLE, list(collection_ids)])[0][0]
    passing = share * statistics.chunks
    return Selectivity(passing=round(passing), share=passing / max(1, statistics.all_chunks))
