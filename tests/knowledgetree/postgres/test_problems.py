"""A command without its database says in two lines what is wrong and what to do."""

import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.db import NotSupportedError, OperationalError, connection

from knowledgetree.postgres.base import DatabaseFeatures
from knowledgetree.postgres.prepared_statements import fetch
from knowledgetree.postgres.problems import problem_of

NOBODY = "postgresql://jan:haslo@127.0.0.1:1/wiedza"


def run(*arguments: str, url: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=settings.BASE_DIR,
        env=os.environ | {"DATABASE_URL": url},
        capture_output=True,
        text=True,
        check=False,
    )


def url_of(name: str) -> str:
    """Of another database on the server of the tests."""
    kept = connection.settings_dict
    if "EMBEDDED_DIRECTORY" in kept:
        return f"postgresql://{kept['USER']}@/{name}?host={Path(kept['HOST']).resolve()}"
    return f"postgresql://{kept['USER']}:{kept['PASSWORD']}@{kept['HOST']}:{kept['PORT'] or 5432}/{name}"


@pytest.fixture
def empty_database(db: None) -> Iterator[str]:
    name = f"empty_{uuid.uuid4().hex}"
    with psycopg.connect(url_of("postgres"), autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name} TEMPLATE template0")  # type: ignore[arg-type]
        yield url_of(name)
        server.execute(f"DROP DATABASE {name} WITH (FORCE)")  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("command", [["migrate"], ["search", "urlop"]])
def test_a_server_that_does_not_answer_is_no_traceback(command: list[str]) -> None:
    done = run(*command, url=NOBODY)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert "refused" in done.stderr
    assert "DATABASE_URL" in done.stderr


@pytest.mark.slow
def test_a_trace_is_shown_to_whoever_asks_for_it() -> None:
    assert "Traceback" in run("search", "urlop", "--traceback", url=NOBODY).stderr


def test_an_address_of_another_database_is_no_traceback() -> None:
    done = run("doctor", url="mysql://db/x")
    assert "Traceback" not in done.stderr
    assert "postgresql://user:password@host:5432/name" in done.stderr


@pytest.mark.slow
def test_doctor_says_that_an_empty_database_wants_migrating(empty_database: str) -> None:
    done = run("doctor", url=empty_database)
    assert "Traceback" not in done.stderr
    assert "knowledgetree migrate" in done.stdout


@pytest.mark.slow
def test_a_command_says_that_an_empty_database_wants_migrating(empty_database: str) -> None:
    done = run("query", "urlop", url=empty_database)
    assert "Traceback" not in done.stderr
    assert "knowledgetree migrate" in done.stderr


@pytest.mark.django_db
def test_a_server_that_is_too_old_is_told_with_the_versions_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DatabaseFeatures, "minimum_database_version", (99,))
    with pytest.raises(NotSupportedError) as caught:
        connection.check_database_version_supported()
    problem = problem_of(caught.value)
    assert problem is not None
    assert "99" in problem.detail
    assert "PostgreSQL 16 lub nowszy" in problem.remedy


def test_a_pooler_that_refuses_our_options_is_recognised() -> None:
    problem = problem_of(OperationalError("connection failed: FATAL:  unsupported startup parameter: options\n"))
    assert problem is not None
    assert "?pgbouncer=transaction" in problem.remedy


def test_a_fault_of_the_program_keeps_its_trace() -> None:
    assert problem_of(ValueError("x")) is None


@pytest.mark.django_db
def test_without_a_threshold_no_statement_is_prepared(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = "SELECT count(*) FROM pg_prepared_statements WHERE statement = ANY(%s)"
    connection.ensure_connection()
    fetch("SELECT 71")
    assert fetch(prepared, [["SELECT 71"]]) == [(1,)]
    monkeypatch.setattr(connection.connection, "prepare_threshold", None)  # as `pgbouncer=transaction` opens it
    fetch("SELECT 72")
    assert fetch(prepared, [["SELECT 72"]]) == [(0,)]
