"""A backup put back: the database in one transaction, then originals, then what this release adds."""

import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.files.base import File
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db import connection
from django.utils.translation import gettext as _

from ingestion.services.files.originals import checksum_of
from knowledgetree.backups.errors import BackupFailed
from knowledgetree.backups.making import count_rows
from knowledgetree.backups.manifest import DUMP, SECRETS, Manifest, original_path, place
from knowledgetree.backups.server_tools import run_tool
from knowledgetree.postgres.connections import release_connections

_OTHERS = """
SELECT count(*) FROM pg_stat_activity
WHERE backend_type = 'client backend' AND datname = current_database() AND pid <> pg_backend_pid()
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """`damaged`: originals that the backup does not have as they were, by checksum. `secrets`: whether SECRET_KEY was
    put back, which counts from the next start. `other_key`: the backup has an ENCRYPTION_KEY that is not in force here;
    it is set where it came from, in the environment, so nobody puts it back by himself.
    """

    manifest: Manifest
    originals: int
    damaged: tuple[str, ...]
    secrets: bool
    other_key: bool


def restore_backup(manifest: Manifest, *, replace: bool = False) -> Restored:
    """Into an empty database, or with `replace` over what it has. Raises BackupFailed; then the database is as before,
    unless what was restored is not what the manifest says, which the remedy tells.

    With `replace` nobody else may be connected: they would go on with what they remember.
    """
    _refuse_what_would_be_lost(replace)
    with tempfile.TemporaryDirectory(prefix="knowledgetree-restore-") as folder:
        file = Path(folder) / DUMP
        _fetch_dump(manifest, file)
        release_connections()
        clean = ("--clean", "--if-exists") if replace else ()
        run_tool("pg_restore", "--no-owner", "--no-comments", "--single-transaction", *clean, str(file))
    _compare_rows(manifest)
    damaged = [checksum for checksum in manifest.originals if not _restore_original(checksum)]
    kept = _kept_secrets(manifest) if manifest.secrets else {}
    other_key = bool(kept) and _is_other_key(kept["ENCRYPTION_KEY"])
    secrets = bool(kept) and _restore_secret(kept["SECRET_KEY"])
    call_command("migrate", verbosity=0)
    return Restored(
        manifest=manifest,
        originals=len(manifest.originals) - len(damaged),
        damaged=tuple(damaged),
        secrets=secrets,
        other_key=other_key,
    )


def _refuse_what_would_be_lost(replace: bool) -> None:
    with connection.cursor() as cursor:
        if not connection.introspection.table_names(cursor):
            return
        if not replace:
            raise BackupFailed(
                _("The database is not empty."),
                remedy=_("Restore into a new one, or give up what it has: --replace."),
            )
        cursor.execute(_OTHERS)
        if cursor.fetchone()[0]:
            raise BackupFailed(
                _("Others are connected to the database."), remedy=_("Stop the web server and the worker first.")
            )


def _fetch_dump(manifest: Manifest, file: Path) -> None:
    try:
        with place().open(f"{manifest.name}/{DUMP}") as kept, file.open("wb") as written:
            for piece in kept.chunks():
                written.write(piece)
    except OSError as error:
        raise BackupFailed(
            _("The backup cannot be read (%(error)s).") % {"error": error.strerror or error},
            remedy=_("Make room, or take another backup."),
        ) from error
    with file.open("rb") as opened:
        if checksum_of(File(opened)) != manifest.dump_checksum:
            raise BackupFailed(
                _("The dump of the backup %(name)s is damaged.") % {"name": manifest.name},
                remedy=_("Take another backup."),
            )


def _compare_rows(manifest: Manifest) -> None:
    found = count_rows()
    if differing := [table for table, rows in manifest.rows.items() if found.get(table) != rows]:
        raise BackupFailed(
            _("Not as many rows as in the backup: %(tables)s.") % {"tables": ", ".join(differing)},
            remedy=_(
                "The database has now what the dump had, not what it had before; originals were not touched. "
                "Restore another backup: knowledgetree restore NAME --replace"
            ),
        )


def _restore_original(checksum: str) -> bool:
    """Whether it is in the store now, as it was."""
    path = original_path(checksum)
    if default_storage.exists(path):
        with default_storage.open(path) as there:
            if checksum_of(there) == checksum:
                return True
        default_storage.delete(path)
    try:
        with place().open(path) as kept:
            if checksum_of(kept) != checksum:
                return False
            kept.seek(0)
            default_storage.save(path, kept)
    except FileNotFoundError:
        return False
    return True


def _kept_secrets(manifest: Manifest) -> dict[str, str]:
    with place().open(f"{manifest.name}/{SECRETS}") as kept:
        return {"SECRET_KEY": "", "ENCRYPTION_KEY": "", **json.load(kept)}


def _is_other_key(key: str) -> bool:
    return bool(key) and key not in (settings.ENCRYPTION_KEY, *settings.ENCRYPTION_KEY_FALLBACKS)


def _restore_secret(secret: str) -> bool:
    """SECRET_KEY into its file, unless the environment names one; it decrypts what the database keeps."""
    if secret == settings.SECRET_KEY or os.environ.get("SECRET_KEY") or os.environ.get("SECRET_KEY_FILE"):
        return False
    path: Path = settings.VAR_DIR / "secret-key"
    path.touch(mode=0o600)
    path.write_text(secret, encoding="utf-8")
    return True
