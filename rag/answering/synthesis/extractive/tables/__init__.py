"""An answer out of a table: the row that the question singles out, and its cells under their columns."""

from rag.answering.synthesis.extractive.tables.answering import TableAnswer, table_answer
from rag.answering.synthesis.extractive.tables.reading import PassageTable, TableRow, tables_of

__all__ = ["PassageTable", "TableAnswer", "TableRow", "table_answer", "tables_of"]
