"""A backup, made while people search: one moment of the database, then the originals that it names."""

import json
import logging
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TypeAlias

from django.conf import settings
from django.core.files.base import ContentFile, File
from django.core.files.storage import default_storage
from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from psycopg import sql

from ingestion.services.files.originals import checksum_of
from knowledgetree.backups.errors import BackupFailed
from knowledgetree.backups.manifest import (
    DUMP,
    SECRETS,
    Manifest,
    backup_folders,
    complete_backups,
    delete_backup,
    kept_originals,
    name_of,
    original_path,
    place,
    write_manifest,
)
from knowledgetree.backups.server_tools import run_tool
from knowledgetree.events.announcing import announce
from knowledgetree.events.registry import AnnouncedEvent
from knowledgetree.postgres.locks import Lock, held_over_transactions

log = logging.getLogger("knowledgetree.backups")

Originals: TypeAlias = dict[str, str]
"""The path of each original in the store, by its checksum."""


# By SQL: an upgrade backs up what an older release made, whose tables have not all the columns of our models.
_OWNERS = {"ingestion_document", "ingestion_documentversion"}
_ORIGINALS = sql.SQL("SELECT checksum, file FROM {table} WHERE file <> ''")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Snapshot:
    identifier: str
    rows: dict[str, int]
    originals: Originals


def make_backup(*, secrets: bool = False) -> Manifest:
    """Whole, or not there: what was begun and killed is deleted by `delete_old_backups`. Raises BackupFailed.

    An original that is erased while the backup is made is not in it; its checksum is among `missing`.
    """
    with _alone(), _disk_errors():
        moment = timezone.now()
        name = name_of(moment)
        snapshot, size, checksum = _keep_database(name)
        kept = [original for original, path in snapshot.originals.items() if _keep_original(original, path)]
        if secrets:
            said = {"SECRET_KEY": settings.SECRET_KEY, "ENCRYPTION_KEY": settings.ENCRYPTION_KEY}
            place().save(f"{name}/{SECRETS}", ContentFile(json.dumps(said).encode()))
        manifest = Manifest(
            name=name,
            made=moment.isoformat(),
            release=version("knowledgetree"),
            dump_bytes=size,
            dump_checksum=checksum,
            rows=snapshot.rows,
            originals=tuple(kept),
            missing=tuple(sorted(snapshot.originals.keys() - set(kept))),
            secrets=secrets,
        )
        write_manifest(manifest)
    return manifest


def delete_old_backups(keep: int) -> int:
    """Delete all complete backups but the newest `keep`, what killed ones left, and originals that none has then.
    How many. Raises BackupFailed.
    """
    with _alone(), _disk_errors():
        kept = complete_backups()[-keep:] if keep > 0 else []
        names = {manifest.name for manifest in kept}
        gone = [name for name in backup_folders() if name not in names]
        for name in gone:
            delete_backup(name)
        wanted = {checksum for manifest in kept for checksum in manifest.originals}
        for path in kept_originals():
            if path.rpartition("/")[2] not in wanted:
                place().delete(path)
    return len(gone)


def back_up_tonight() -> None:
    """The chore: a backup, and old ones deleted, where `BACKUP_LOCATION` is set."""
    if not settings.BACKUP_LOCATION:
        return
    try:
        manifest = make_backup()
        deleted = delete_old_backups(settings.BACKUPS_KEPT)
    except BackupFailed as error:
        log.error("no backup was made", extra={"fields": {"error": str(error)}})
        announce(AnnouncedEvent.BACKUP_MISSED, code=error.code)
        return
    log.info("backup made", extra={"fields": {"name": manifest.name, "deleted": deleted}})


def _keep_database(name: str) -> tuple[_Snapshot, int, str]:
    """The moment that was dumped, the bytes of the dump and its checksum."""
    with tempfile.TemporaryDirectory(prefix="knowledgetree-backup-") as folder:
        file = Path(folder) / DUMP
        with _snapshot() as snapshot:
            run_tool("pg_dump", "--format=custom", f"--snapshot={snapshot.identifier}", f"--file={file}")
        with file.open("rb") as opened:
            checksum = checksum_of(File(opened))
            opened.seek(0)
            place().save(f"{name}/{DUMP}", File(opened))
        return snapshot, file.stat().st_size, checksum


@contextmanager
def _alone() -> Iterator[None]:
    with held_over_transactions(Lock.BACKUP) as held:
        if not held:
            raise BackupFailed(_("Another backup is being made."), remedy=_("Wait until it has ended."))
        yield


@contextmanager
def _disk_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BackupFailed(
            _("The backup could not be written (%(error)s).") % {"error": error.strerror or error},
            remedy=_("Make room, or let BACKUP_LOCATION name another place."),
        ) from error


@contextmanager
def _snapshot() -> Iterator[_Snapshot]:
    """One moment of the database for as long as this lasts."""
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        cursor.execute("SELECT pg_export_snapshot()")
        identifier = cursor.fetchone()[0]
        rows = count_rows()
        originals: Originals = {}
        for table in _OWNERS & rows.keys():
            cursor.execute(_ORIGINALS.format(table=sql.Identifier(table)))
            originals |= dict(cursor.fetchall())
        yield _Snapshot(identifier=identifier, rows=rows, originals=originals)


def count_rows() -> dict[str, int]:
    """The rows of each table of the database."""
    counts = {}
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            cursor.execute(sql.SQL("SELECT count(*) FROM {table}").format(table=sql.Identifier(table)))
            counts[table] = int(cursor.fetchone()[0])
    return counts


def _keep_original(checksum: str, path: str) -> bool:
    """Whether it is in the backups now; False where it was erased meanwhile."""
    kept = original_path(checksum)
    if place().exists(kept):
        return True
    try:
        with default_storage.open(path) as original:
            place().save(kept, original)
    except FileNotFoundError:
        return False
    return True
