"""An answer out of a table: the row that the question singles out, and its cells under their columns."""

from rag.answering.passage_tables import PassageTable, TableRow, tables_of
from rag.answering.synthesis.extractive.tables.answering import TableAnswer, table_answer

__all__ = ["PassageTable", "TableAnswer", "TableRow", "table_answer", "tables_of"]
