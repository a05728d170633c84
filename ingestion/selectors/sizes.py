"""What the knowledge base takes in the database, table by table."""

from dataclasses import dataclass

from django.db import connection

from ingestion.models import CollectionStatistics

TEXTS, WORDS, VECTORS, NAMES, LIKENESS, OTHERS = "texts", "words", "vectors", "names", "likeness", "others"

# What is in none of these is `others`.
_KINDS = {
    TEXTS: "document extraction chunk documentversion",
    WORDS: "term posting postinglist chunkwords termstatistics collectionstatistics",
    VECTORS: "chunkembedding embeddingcacheentry",
    NAMES: "entity entitymention",
    LIKENESS: "chunksketch documentsketch similardocument",
}
# With what is stored beside a table because it is long (TOAST), which `pg_table_size` counts in.
_SIZES = """
SELECT c.relname, pg_table_size(c.oid), pg_indexes_size(c.oid) FROM pg_class c
WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace ORDER BY pg_total_relation_size(c.oid) DESC
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSize:
    """`rows` and `indexes` in bytes; `kind` is one of the constants of this module."""

    table: str
    kind: str
    rows: int
    indexes: int

    @property
    def total(self) -> int:
        return self.rows + self.indexes


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseSize:
    """The whole database takes that: its tables, the largest first, and how many passages are searched in them."""

    tables: tuple[TableSize, ...]
    passages: int

    def of_kind(self, kind: str) -> int:
        return sum(table.total for table in self.tables if table.kind == kind)

    @property
    def a_passage(self) -> float:
        """Bytes for each passage, beside its vectors and texts."""
        beside = sum(table.total for table in self.tables if table.kind not in (TEXTS, VECTORS))
        return beside / max(1, self.passages)


def database_size() -> DatabaseSize:
    kinds = {f"ingestion_{table}": kind for kind, tables in _KINDS.items() for table in tables.split()}
    with connection.cursor() as cursor:
        cursor.execute(_SIZES)
        tables = tuple(
            TableSize(table=table, kind=kinds.get(table, OTHERS), rows=rows, indexes=indexes)
            for table, rows, indexes in cursor.fetchall()
        )
    return DatabaseSize(tables=tables, passages=sum(CollectionStatistics.objects.values_list("chunks", flat=True)))
