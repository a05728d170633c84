"""Advisory locks: what is held keeps others off as long as it says, and every number stands in one place."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pytest
from django.db import connection, connections, transaction

import knowledgetree
from knowledgetree.postgres.locks import Lock, held_over_transactions, hold, try_to_hold

_ROOT = Path(knowledgetree.__file__).parents[1]
_HOME = _ROOT / "knowledgetree" / "postgres" / "locks.py"


@pytest.fixture
def another() -> Iterator[ThreadPoolExecutor]:
    """A thread with a connection of its own."""
    with ThreadPoolExecutor(1) as thread:
        yield thread
        thread.submit(connections.close_all).result()


def _gets(lock: Lock, key: int = 0) -> bool:
    with transaction.atomic():
        return try_to_hold(lock, key)


def _gets_together(lock: Lock) -> bool:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock_shared(%s, 0)", [lock])
        return bool(cursor.fetchone()[0])


@pytest.mark.django_db(transaction=True)
class TestHolding:
    def test_a_lock_is_kept_until_the_transaction_ends(self, another: ThreadPoolExecutor) -> None:
        with transaction.atomic():
            hold(Lock.SPACES)
            assert not another.submit(_gets, Lock.SPACES).result()
        assert another.submit(_gets, Lock.SPACES).result()

    def test_a_key_and_a_purpose_are_locked_alone(self, another: ThreadPoolExecutor) -> None:
        with transaction.atomic():
            assert try_to_hold(Lock.COUNTS, 1)
            assert not another.submit(_gets, Lock.COUNTS, 1).result()
            assert another.submit(_gets, Lock.COUNTS, 2).result()
            assert another.submit(_gets, Lock.PACKING, 1).result()

    def test_what_is_shared_keeps_off_who_wants_it_alone(self, another: ThreadPoolExecutor) -> None:
        with transaction.atomic():
            hold(Lock.VOCABULARY, shared=True)
            assert another.submit(_gets_together, Lock.VOCABULARY).result()
            assert not another.submit(_gets, Lock.VOCABULARY).result()

    def test_a_lock_can_outlast_transactions(self, another: ThreadPoolExecutor) -> None:
        with held_over_transactions(Lock.PACKING, 3) as held:
            assert held
            with transaction.atomic():
                pass
            assert not another.submit(_gets, Lock.PACKING, 3).result()
        assert another.submit(_gets, Lock.PACKING, 3).result()

    def test_a_lock_is_given_back_after_an_error(self, another: ThreadPoolExecutor) -> None:
        with suppress(ZeroDivisionError), held_over_transactions(Lock.PACKING):
            raise ZeroDivisionError
        assert another.submit(_gets, Lock.PACKING).result()


class TestNumbers:
    def test_no_lock_is_taken_by_a_number_of_its_own(self) -> None:
        loose = [path for path in _product() if path != _HOME and "_advisory_" in path.read_text(encoding="utf-8")]
        assert not [path for path in loose if "migrations" not in path.parts]

    def test_the_sql_of_triggers_takes_locks_that_are_named(self) -> None:
        taken = [
            int(number)
            for path in _product()
            if "migrations" in path.parts
            for number in re.findall(r"advisory_xact_lock\((\d+)", path.read_text(encoding="utf-8"))
        ]
        assert set(taken) == {Lock.COUNTS}


def _product() -> list[Path]:
    return [path for app in ("knowledgetree", "ingestion", "rag") for path in (_ROOT / app).rglob("*.py")]
