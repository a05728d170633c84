"""Backups of an installation: its database, its originals and, by choice, its secrets."""

from knowledgetree.backups.making import delete_old_backups, make_backup
from knowledgetree.backups.manifest import Manifest, complete_backups, find_backup
from knowledgetree.backups.restoring import Restored, restore_backup

__all__ = [
    "Manifest",
    "Restored",
    "complete_backups",
    "delete_old_backups",
    "find_backup",
    "make_backup",
    "restore_backup",
]
