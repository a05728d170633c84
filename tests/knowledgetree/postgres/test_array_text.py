"""Arrays written as text are what PostgreSQL reads, whatever stands in them."""

import pytest
from django.db import connection

from knowledgetree.postgres.prepared_statements import array_text, fetch

TEXTS = ["", "NULL", "ł", 'a "b"', "c\\d", "{e}", "f,g", " h ", '\\"', "i\nj"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("text", TEXTS),
        ("text", ["plain", "words"]),
        ("int8", [1, -2, 2**40]),
        ("int4", []),
        ("text", []),
        ("float8", [0.1, -1e-300, 1e300, 1 / 3]),
        ("bool", [True, False]),
        ("int4", [1, None]),
        ("text", ["a", None]),
    ],
)
def test_what_is_sent_comes_back(kind: str, values: list[object]) -> None:
    assert fetch(f"SELECT %s::{kind}[]", [values]) == [(values,)]
    assert fetch(f"SELECT %(them)s::{kind}[]", {"them": values}) == [(values,)]


@pytest.mark.django_db
def test_numbers_of_any_size_are_one_statement() -> None:
    connection.ensure_connection()
    for number in (1, 2**20, 2**40):
        fetch("SELECT 1 WHERE 7::int8 = ANY(%s)", [[number]])
    known = fetch("SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'SELECT 1 WHERE 7::int8%%'")
    assert known == [(1,)]


@pytest.mark.parametrize("values", [[1, "a"], [[1], [2]], [b"a"], [None]])
def test_what_is_not_plain_is_left_to_psycopg(values: list[object]) -> None:
    assert array_text(values) == values
