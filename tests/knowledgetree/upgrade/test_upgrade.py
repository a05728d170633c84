"""A database of the last version whose migrations were separate; `separate_migrations.sql` is its dump."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.checks import Tags, run_checks
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.utils.module_loading import import_string
from django_q.models import Schedule

from ingestion.models import Document
from knowledgetree.diagnosis import diagnose
from rag.models import Exchange

OLD = "old"
DUMP = Path(__file__).with_name("separate_migrations.sql")

SCHEMA = {
    "tables": "SELECT relname, relkind, relpersistence, reloptions FROM pg_class WHERE relnamespace = {here}",
    "columns": """
        SELECT relname, row_number() OVER (PARTITION BY attrelid ORDER BY attnum), attname, attnotnull, attidentity,
               attstorage, format_type(atttypid, atttypmod), pg_get_expr(adbin, adrelid)
        FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
        LEFT JOIN pg_attrdef ON (adrelid, adnum) = (attrelid, attnum)
        WHERE relnamespace = {here} AND relkind IN ('r', 'S') AND attnum > 0 AND NOT attisdropped
    """,
    "constraints": """
        SELECT conrelid::regclass, conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = {here}
    """,
    "indexes": "SELECT pg_get_indexdef(oid) FROM pg_class WHERE relkind = 'i' AND relnamespace = {here}",
    "triggers": """
        SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
        WHERE relnamespace = {here} AND NOT tgisinternal
    """,
    "functions": """
        SELECT pg_get_functiondef(p.oid) FROM pg_proc p JOIN pg_language l ON l.oid = prolang
        WHERE pronamespace = {here} AND lanname IN ('sql', 'plpgsql')
    """,
}
# The name of the schema, spaces, which differ inside functions, and casts and brackets, which a dump has otherwise.
ASIDE = re.compile(rf"\b({OLD}|public)\.|(\\n|\s)+|::[a-z ]+|[][()]")


@pytest.fixture
def old(django_db_setup: None, django_db_blocker: Any) -> Iterator[BaseDatabaseWrapper]:
    """The dump in a schema of its own, beside the tables of the tests."""
    options = connection.settings_dict["OPTIONS"]
    seen = f"{options.get('options', '')} -c search_path={OLD},public"
    connections.settings[OLD] = {**connection.settings_dict, "OPTIONS": {**options, "options": seen}}
    with django_db_blocker.unblock():
        try:
            run(f"DROP SCHEMA IF EXISTS {OLD} CASCADE; CREATE SCHEMA {OLD}", DUMP.read_text())
            yield connections[OLD]
        finally:
            run(f"DROP SCHEMA {OLD} CASCADE")
            connections[OLD].close()
            del connections[OLD], connections.settings[OLD]


def run(*statements: str) -> None:
    with connections[OLD].cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def schema(of: BaseDatabaseWrapper, part: str) -> set[str]:
    """But for the indexes of embedding spaces, which come and go with their rows; other tests leave some behind."""
    with of.cursor() as cursor:
        cursor.execute(SCHEMA[part].format(here="current_schema()::regnamespace"))
        rows = [str(row) for row in cursor.fetchall()]
    return {ASIDE.sub("", row) for row in rows if "ingestion_embedding_space_" not in row}


@pytest.mark.slow
def test_an_old_database_becomes_one_of_today_and_keeps_what_it_has(old: BaseDatabaseWrapper) -> None:
    call_command("migrate", database=OLD, verbosity=0, skip_checks=False)
    executor = MigrationExecutor(old)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []
    assert executor.loader.disk_migrations.keys() <= MigrationRecorder(old).applied_migrations().keys()
    for schedule in Schedule.objects.using(OLD):
        assert callable(import_string(schedule.func))
    assert Schedule.objects.using(OLD).get(name__contains="synchronise source").args == "1"
    document = Document.objects.using(OLD).get()
    assert (document.title, document.chunks.get().text) == ("Urlopy", "Urlop wypoczynkowy trwa 26 dni.")
    assert Exchange.objects.using(OLD).get().citations.get().document == document
    for part in SCHEMA:
        assert schema(old, part) == schema(connection, part), part


@pytest.mark.django_db
def test_a_database_that_stopped_on_the_way_is_told_what_to_do() -> None:
    assert not run_checks(tags=[Tags.database], databases=["default"])
    for name in ("0022_given_and_edited", "0001_schema"):
        MigrationRecorder(connection).record_unapplied("ingestion", name)
    [message] = run_checks(tags=[Tags.database], databases=["default"])
    assert (message.id, "0022_given_and_edited" in str(message.hint)) == ("knowledgetree.E008", True)
    assert [finding.well for finding in diagnose() if "knowledgetree migrate" in finding.remedy] == [False]
    with pytest.raises(CommandError, match=r"knowledgetree\.E008"):
        call_command("migrate", verbosity=0, skip_checks=False)
