"""Keys written by numpy are those that PostgreSQL reads."""

import numpy as np
import psycopg
import pytest
from django.db import connection

from knowledgetree.postgres.integer_arrays import IntegerArray, IntegerArrayDumper


@pytest.mark.django_db
@pytest.mark.parametrize("keys", [[], [7], [1, -2, 2**31 - 1]])
def test_postgresql_reads_the_keys_that_numpy_wrote(keys: list[int]) -> None:
    connection.ensure_connection()
    with psycopg.Cursor(connection.connection) as cursor:
        cursor.adapters.register_dumper(IntegerArray, IntegerArrayDumper)
        cursor.execute("SELECT %s", [IntegerArray(np.array(keys, np.int64))])
        assert cursor.fetchone() == (keys,)
