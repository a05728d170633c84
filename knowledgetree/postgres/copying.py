"""COPY, as safe to call as Django's own statements."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connection


@contextmanager
def copy(statement: str, parameters: Any = None) -> "Iterator[psycopg.Copy]":
    """What psycopg's `cursor.copy` gives. A full disk and a connection that ends are Django's OperationalError.

    Django translates the exceptions of the statements it knows, and COPY is none of them. Whoever tells what may pass
    from what stays would not recognise psycopg's.
    """
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(statement, parameters) as copied:
        yield copied
