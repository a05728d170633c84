"""What is left of an erased document: rows that name it by its number, counted in every table that could."""

from collections.abc import Mapping

from django.db import connection
from django.utils.translation import gettext as _
from psycopg import sql

_BY_NUMBER = """
SELECT k.conrelid::regclass::text, a.attname
FROM pg_constraint k JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = ANY(k.conkey)
WHERE k.contype = 'f' AND k.confrelid = 'ingestion_document'::regclass
ORDER BY 1, 2
"""
_COUNT = sql.SQL("SELECT count(*) FROM {table} WHERE {column} = %s")


def leftovers_of(document: int) -> Mapping[str, int]:
    """How many rows there are of the document itself, and of each table that leads to documents."""
    with connection.cursor() as cursor:
        cursor.execute(_BY_NUMBER)
        columns = [("ingestion_document", "id"), *cursor.fetchall()]
        found = {}
        for table, column in columns:
            cursor.execute(_COUNT.format(table=sql.Identifier(table), column=sql.Identifier(column)), [document])
            found[f"{table}.{column}"] = int(cursor.fetchone()[0])
    left = {name: rows for name, rows in found.items() if rows}
    return left or {_("rows in %(n)d tables") % {"n": len({table for table, _column in columns})}: 0}
