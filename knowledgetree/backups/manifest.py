"""What a backup says of itself, and where its parts lie.

In the place of backups every backup is a folder named by its moment; originals are kept once for all of them, by the
checksum of their content. The manifest is written last: a folder without it is what a killed backup left behind.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Final

from django.core.files.base import ContentFile
from django.core.files.storage import Storage, storages
from django.utils.translation import gettext as _

from knowledgetree.backups.errors import BackupFailed, NoSuchBackup

LATEST: Final = "latest"
DUMP: Final = "database.dump"
SECRETS: Final = "secrets.json"
_MANIFEST: Final = "manifest.json"
_NAME: Final = "%Y-%m-%dT%H%M%SZ"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """`made` in ISO 8601, `rows` of each table as the dump has them, `originals` by checksum, `dump_bytes` and
    `dump_checksum` (SHA-256) of the dump.
    """

    name: str
    made: str
    release: str
    dump_bytes: int
    dump_checksum: str
    rows: Mapping[str, int]
    originals: tuple[str, ...]
    missing: tuple[str, ...] = ()
    secrets: bool = False

    @property
    def moment(self) -> datetime:
        return datetime.fromisoformat(self.made)


def place() -> Storage:
    return storages["backups"]


def name_of(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime(_NAME)


def original_path(checksum: str) -> str:
    return f"originals/{checksum[:2]}/{checksum}"


def write_manifest(manifest: Manifest) -> None:
    text = json.dumps(asdict(manifest), ensure_ascii=False, indent=1)
    place().save(f"{manifest.name}/{_MANIFEST}", ContentFile(text.encode()))


def backup_folders() -> list[str]:
    """The names of all backups, whole or not, the oldest first."""
    return sorted(folder for folder in _listed("")[0] if _is_name(folder))


def kept_originals() -> list[str]:
    """The paths of all originals that lie there, whatever backup has them."""
    folders = [f"originals/{folder}" for folder in _listed("originals")[0]]
    return [f"{folder}/{checksum}" for folder in folders for checksum in _listed(folder)[1]]


def delete_backup(name: str) -> None:
    """Its manifest goes first: of what is left then nothing is taken for whole. Its originals stay."""
    files = _listed(name)[1]
    for file in sorted(files, key=lambda file: file != _MANIFEST):
        place().delete(f"{name}/{file}")
    place().delete(name)  # the folder; a bucket has none, and nothing by that name


def complete_backups() -> list[Manifest]:
    """The oldest first. Raises BackupFailed for a manifest that cannot be read."""
    return [_read(name) for name in backup_folders() if is_complete(name)]


def is_complete(name: str) -> bool:
    return place().exists(f"{name}/{_MANIFEST}")


def find_backup(name: str = LATEST) -> Manifest:
    """Raises NoSuchBackup."""
    whole = [folder for folder in backup_folders() if is_complete(folder)]
    if not whole:
        raise NoSuchBackup(_("There is no backup."), remedy=_("Make one: knowledgetree backup"))
    if name != LATEST and name not in whole:
        raise NoSuchBackup(_("There is no backup %(name)s.") % {"name": name})
    return _read(whole[-1] if name == LATEST else name)


def _read(name: str) -> Manifest:
    try:
        with place().open(f"{name}/{_MANIFEST}") as file:
            said = json.load(file)
        lists = {key: tuple(said[key]) for key in ("originals", "missing")}
        return Manifest(**{**said, **lists})
    except (ValueError, TypeError, KeyError) as error:
        raise BackupFailed(_("The manifest of the backup %(name)s cannot be read.") % {"name": name}) from error


def _listed(folder: str) -> tuple[list[str], list[str]]:
    """Folders and files. A folder is there with its first file; a bucket has none that one could ask for."""
    try:
        return place().listdir(folder)
    except FileNotFoundError:
        return [], []


def _is_name(folder: str) -> bool:
    try:
        datetime.strptime(folder, _NAME)
    except ValueError:
        return False
    return True
