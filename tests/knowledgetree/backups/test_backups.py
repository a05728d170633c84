"""A backup brings back everything after the machine is lost, and never makes anything worse."""

import json
import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import override_settings

from ingestion.models import Document
from ingestion.selectors import operator
from knowledgetree.backups import complete_backups, delete_old_backups, find_backup, make_backup, restore_backup
from knowledgetree.backups.errors import BackupFailed, NoSuchBackup
from knowledgetree.backups.making import back_up_tonight, count_rows
from knowledgetree.backups.manifest import place
from knowledgetree.diagnosis import diagnose
from knowledgetree.events.models import Occurrence
from knowledgetree.storage.environment import storages_of
from rag.services.search import search_passages
from tests.bucket import store_with_bucket
from tests.conftest import index_text, make_public

pytestmark = pytest.mark.django_db(transaction=True)

RULES = "# Regulamin\n\nUrlop na żądanie trwa cztery dni w roku."


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    """Backups in a folder of the test's own."""
    settings.BACKUP_LOCATION = str(tmp_path / "kopie")
    settings.STORAGES = storages_of(None, backups=settings.BACKUP_LOCATION)
    settings.VAR_DIR = tmp_path / "var"
    settings.VAR_DIR.mkdir()
    return tmp_path / "kopie"


def indexed(name: str, text: str) -> Document:
    return index_text(make_public(), text, name=name)


def lose_the_machine() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA public CASCADE")
        cursor.execute("CREATE SCHEMA public")
    shutil.rmtree(default_storage.path("originals"), ignore_errors=True)


def test_a_lost_machine_comes_back_whole(folder: Path, settings: Any) -> None:
    document = indexed("regulamin.md", RULES)
    rows, secret = count_rows(), settings.SECRET_KEY
    manifest = make_backup(secrets=True)
    assert manifest.rows == rows
    assert len(manifest.originals) == 1
    lose_the_machine()
    settings.SECRET_KEY = "of the new machine"
    restored = restore_backup(find_backup())
    assert (restored.originals, restored.damaged, restored.secrets) == (1, (), True)
    assert count_rows() == rows
    assert (settings.VAR_DIR / "secret-key").read_text() == secret
    with Document.objects.get(pk=document.pk).file.open() as original:
        assert original.read().decode() == RULES
    assert search_passages(query="Ile trwa urlop na żądanie?", viewer=operator()).passages[0].document_id == document.pk


def test_what_has_documents_is_replaced_only_when_told_so(folder: Path) -> None:
    indexed("regulamin.md", RULES)
    make_backup()
    indexed("nowy.md", "Regulamin parkingu.")
    with pytest.raises(BackupFailed, match="--replace"):
        restore_backup(find_backup())
    assert Document.objects.count() == 2
    restore_backup(find_backup(), replace=True)
    assert [row.uri for row in Document.objects.all()] == ["regulamin.md"]


def test_a_damaged_dump_changes_nothing(folder: Path) -> None:
    indexed("regulamin.md", RULES)
    dump = folder / make_backup().name / "database.dump"
    dump.write_bytes(dump.read_bytes()[:-100] + bytes(100))
    with pytest.raises(BackupFailed, match="uszkodzon"):
        restore_backup(find_backup(), replace=True)
    assert Document.objects.count() == 1


def test_a_damaged_original_is_named_and_the_rest_comes_back(folder: Path) -> None:
    indexed("regulamin.md", RULES)
    indexed("drugi.md", "Regulamin parkingu.")
    manifest = make_backup()
    damaged = manifest.originals[0]
    (folder / "originals" / damaged[:2] / damaged).write_bytes(b"inne")
    lose_the_machine()
    restored = restore_backup(manifest)
    assert (restored.originals, restored.damaged) == (1, (damaged,))


def test_only_the_newest_stay_with_the_originals_that_they_have(folder: Path) -> None:
    (folder / "2026-01-01T000000Z").mkdir(parents=True)  # one that was killed
    document = indexed("regulamin.md", RULES)
    first = make_backup()
    document.delete()
    indexed("nowy.md", "Regulamin parkingu.")
    manifest = folder / first.name / "manifest.json"
    older = json.loads(manifest.read_text()) | {"name": "2026-01-02T000000Z"}
    manifest.write_text(json.dumps(older))
    manifest.parent.rename(folder / older["name"])
    second = make_backup()
    assert delete_old_backups(1) == 2
    assert [one.name for one in complete_backups()] == [second.name]
    assert [file.name for file in folder.glob("originals/*/*")] == list(second.originals)


def test_an_original_that_is_gone_is_said_to_be_missing(folder: Path) -> None:
    document = indexed("regulamin.md", RULES)
    default_storage.delete(document.file.name or "")
    assert make_backup().missing == (document.checksum,)


def test_a_bucket_keeps_backups_too(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with store_with_bucket("kopie") as s3:
        for name, value in {"S3_ENDPOINT": s3.endpoint, "S3_KEY_ID": s3.key_id, "S3_KEY": s3.key}.items():
            monkeypatch.setenv(name, value)
        with override_settings(STORAGES=storages_of(None, backups="s3://kopie/wiedza")):
            indexed("regulamin.md", RULES)
            manifest = make_backup()
            lose_the_machine()
            assert restore_backup(find_backup()).originals == 1
            assert delete_old_backups(1) == 0
            assert place().exists(f"{manifest.name}/database.dump")


def test_a_night_makes_one_where_there_is_a_place_and_doctor_misses_it(folder: Path, settings: Any) -> None:
    with pytest.raises(NoSuchBackup):
        find_backup()
    assert state_of_backups() is None
    back_up_tonight()
    assert state_of_backups() is True
    with override_settings(BACKUP_LOCATION=""):
        back_up_tonight()
    (only,) = complete_backups()
    manifest = folder / only.name / "manifest.json"
    old = (only.moment - timedelta(days=3)).isoformat()
    manifest.write_text(manifest.read_text().replace(only.made, old))
    assert state_of_backups() is False


def test_a_night_without_a_backup_is_announced(folder: Path) -> None:
    folder.write_text("to nie jest folder")
    back_up_tonight()
    assert Occurrence.objects.get().event == "backup.missed"


def test_the_commands_say_what_there_is_and_refuse_what_would_lose_it(folder: Path, capsys: Any) -> None:
    call_command("backup", "--with-secrets", "--keep", "3")
    assert "dokumenty: 0" in capsys.readouterr().out
    call_command("backup", "--list", "--json")
    (told,) = json.loads(capsys.readouterr().out)
    assert told["secrets"] is True
    with pytest.raises(CommandError, match="nie jest pusta"):
        call_command("restore")
    with pytest.raises(CommandError, match="Nie ma kopii"):
        call_command("restore", "2020-01-01T000000Z")


def test_another_encryption_key_is_told_and_none_that_is_in_force(folder: Path, settings: Any, capsys: Any) -> None:
    settings.ENCRYPTION_KEY = "of the lost machine"
    make_backup(secrets=True)
    assert not restore_backup(find_backup(), replace=True).other_key
    settings.ENCRYPTION_KEY = "of the new machine"
    call_command("restore", "--replace")
    assert "ENCRYPTION_KEY z kopii jest inny" in capsys.readouterr().out
    settings.ENCRYPTION_KEY_FALLBACKS = ["of the lost machine"]
    assert not restore_backup(find_backup(), replace=True).other_key


def test_rows_that_the_manifest_does_not_tell_of_are_said_to_be_there_now(folder: Path) -> None:
    indexed("regulamin.md", RULES)
    manifest = make_backup()
    with pytest.raises(BackupFailed, match="W bazie jest teraz to, co było w zrzucie"):
        restore_backup(replace(manifest, rows={**manifest.rows, "ingestion_document": 7}), replace=True)


def test_the_tables_of_an_older_release_are_backed_up(folder: Path) -> None:
    indexed("regulamin.md", RULES)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE ingestion_document RENAME COLUMN earlier_id TO of_today")
        try:
            assert len(make_backup().originals) == 1
        finally:
            cursor.execute("ALTER TABLE ingestion_document RENAME COLUMN of_today TO earlier_id")


def state_of_backups() -> bool | None:
    return next(check.well for check in diagnose() if check.name == "backups")
