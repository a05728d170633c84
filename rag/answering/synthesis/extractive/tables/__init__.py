"""An answer out of a table: the row that the question singles out, and its cells under their columns."""

from rag.answering.synthesis.extractive.tables.choice import TableAnswer, table_answer
from rag.answering.synthesis.extractive.tables.reading import Row, Table, tables_of

__all__ = ["Row", "Table", "TableAnswer", "table_answer", "tables_of"]
