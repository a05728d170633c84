"""`manage.py upgrade`: says first what it will do, does all of it, and leaves the database as before where it fails."""

import sys
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin import sites
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import modify_settings
from django.urls import get_resolver
from django.utils import timezone
from django_q.models import Schedule

from ingestion.models import Document, LexiconPack
from ingestion.services.lexicon.packs import shipped_packs
from knowledgetree.backups import complete_backups, find_backup
from knowledgetree.readiness import _migrations_of_this_release
from knowledgetree.schedules import RECOVERY
from knowledgetree.storage.environment import storages_of
from tests.conftest import index_text, make_public

pytestmark = pytest.mark.django_db(transaction=True)

FIRST = """
from django.db import migrations
class Migration(migrations.Migration):
    operations = [migrations.RunSQL("CREATE TABLE later_thing (id integer)", "DROP TABLE later_thing")]
"""
SECOND = """
from django.db import migrations
class Migration(migrations.Migration):
    dependencies = [("later", "0001_first")]
    atomic = {atomic}
    operations = [migrations.RunSQL({sql!r}, migrations.RunSQL.noop)]
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Any) -> Path:
    """Backups in a folder of the test's own; no worker was seen lately."""
    settings.BACKUP_LOCATION = str(tmp_path / "kopie")
    settings.STORAGES = storages_of(None, backups=settings.BACKUP_LOCATION)
    Schedule.objects.filter(name=RECOVERY.name).update(next_run=timezone.now() - timedelta(hours=1))
    return tmp_path


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An app of a later release, whose tables are not there yet."""
    package = tmp_path / "later" / "migrations"
    package.mkdir(parents=True)
    for place in (package.parent, package):
        (place / "__init__.py").touch()
    (package / "0001_first.py").write_text(FIRST)
    monkeypatch.syspath_prepend(tmp_path)
    get_resolver().url_patterns  # noqa: B018  (registers everything with the site that Unfold's app is to replace)
    for module in (admin, sites):
        monkeypatch.setattr(module, "site", module.site)
    with modify_settings(INSTALLED_APPS={"append": "later"}):
        yield package
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS later_thing")
        cursor.execute("DELETE FROM django_migrations WHERE app = 'later'")
    for name in [name for name in sys.modules if name.partition(".")[0] == "later"]:
        del sys.modules[name]
    _migrations_of_this_release.cache_clear()  # whoever looked at them meanwhile has kept this app's too


def second(later: Path, sql: str, *, atomic: bool = True) -> None:
    (later / "0002_second.py").write_text(SECOND.format(sql=sql, atomic=atomic))


def upgrade(*options: str) -> str:
    out = StringIO()
    call_command("upgrade", *options, stdout=out, verbosity=0)
    return out.getvalue()


def has_table() -> bool:
    return "later_thing" in connection.introspection.table_names()


def pack_names_alone() -> None:
    """The lexicon as loaded, without its 16,000 words."""
    LexiconPack.objects.bulk_create(
        LexiconPack(name=pack.name, title=pack.title, digest=pack.digest) for pack in shipped_packs()
    )


def outdate() -> Document:
    document = index_text(make_public(), "# Regulamin\n\nUrlop trwa cztery dni.", name="regulamin.md")
    document.sketch.delete()
    Document.objects.update(names_version=0)
    pack_names_alone()
    return document


def test_a_dry_run_says_all_of_it_and_changes_nothing(later: Path) -> None:
    outdate()
    said = upgrade("--dry-run")
    assert "migracje bazy: 1" in said
    assert "later 0001_first" in said
    assert "dokumenty, w których nazwy rozpoznało starsze wydanie: 1" in said
    assert "Niczego nie zmieniono." in said
    assert not has_table()
    assert complete_backups() == []


def test_it_backs_up_then_migrates_then_renews_what_is_old(later: Path) -> None:
    document = outdate()
    second(later, "ALTER TABLE later_thing ADD COLUMN name text")
    said = upgrade()
    places = [said.index(words) for words in ("Kopia zrobiona", "Migracje zastosowane: 2", "Uaktualniono")]
    assert places == sorted(places)
    assert has_table()
    assert "later_thing" not in find_backup().rows
    document.refresh_from_db()
    assert document.names_version == 1
    assert document.sketch
    assert "Nie ma nic do zrobienia" in upgrade()
    assert len(complete_backups()) == 1


def test_a_failed_migration_leaves_the_database_as_before_and_says_how_to_go_back(later: Path) -> None:
    pack_names_alone()
    second(later, "SELECT 1 / 0")
    with pytest.raises(CommandError, match="taka jak przedtem") as failed:
        upgrade()
    assert f"knowledgetree restore {find_backup().name} --replace" in str(failed.value)
    assert not has_table()


def test_where_a_migration_refuses_a_transaction_the_backup_brings_the_database_back(later: Path) -> None:
    second(later, "SELECT 1 / 0", atomic=False)
    with pytest.raises(CommandError, match="Część migracji") as failed:
        upgrade()
    assert "--replace" in str(failed.value)
    assert has_table()


def test_it_does_not_begin_while_a_worker_runs(later: Path) -> None:
    Schedule.objects.filter(name=RECOVERY.name).update(next_run=timezone.now())
    with pytest.raises(CommandError, match="nie zacznie się"):
        upgrade()
    assert complete_backups() == []
    upgrade("--worker-stopped", "--leave-index")
    assert has_table()


def test_it_does_not_begin_without_room_for_a_backup(later: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda folder: type("Usage", (), {"free": 60_000_000})())
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE later_thing AS SELECT repeat(md5(n::text), 40) FROM generate_series(1, 60000) n")
    with pytest.raises(CommandError, match="nie zacznie się"):
        upgrade()
    assert complete_backups() == []
