"""Database connections are given back by one module, whatever happens, and never out of a transaction."""

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from django.db import connection, transaction

import knowledgetree
from knowledgetree.postgres.connections import borrowed_connections, release_connections

_ROOT = Path(knowledgetree.__file__).parents[1]


def _is_open() -> bool:
    return connection.connection is not None


@pytest.mark.django_db(transaction=True)
class TestGivingBack:
    def test_what_a_thread_opened_is_closed_also_after_an_error(self) -> None:
        def leave_open() -> bool:
            with suppress(ZeroDivisionError), borrowed_connections():
                connection.ensure_connection()
                assert _is_open()
                raise ZeroDivisionError
            return _is_open()

        with ThreadPoolExecutor(1) as thread:
            assert not thread.submit(leave_open).result()

    def test_a_long_wait_gets_no_connection_but_a_transaction_keeps_its_own(self) -> None:
        connection.ensure_connection()
        with transaction.atomic():
            release_connections()
            assert _is_open()
        release_connections()
        assert not _is_open()

    def test_a_connection_that_is_dear_stays_where_only_pooled_ones_are_lent(self) -> None:
        connection.ensure_connection()
        release_connections(pooled_only=True)
        assert _is_open()


def test_connections_are_closed_in_one_module_alone() -> None:
    closing = re.compile(r"(?<!\w)connections?\.close")
    files = [path for app in ("knowledgetree", "ingestion", "rag") for path in (_ROOT / app).rglob("*.py")]
    found = [path.name for path in files if closing.search(path.read_text(encoding="utf-8"))]
    assert found == ["connections.py"]
