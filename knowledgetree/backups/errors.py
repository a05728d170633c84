"""Why a backup could not be made or restored, for whoever sits at the terminal."""

from django.utils.translation import gettext_lazy as _

from knowledgetree.errors import KnowledgeTreeError


class BackupFailed(KnowledgeTreeError):
    """Nothing that was there before is lost by it."""

    code = "backup_failed"


class NoSuchBackup(BackupFailed):
    """There is none of that name, or none at all."""

    code = "no_such_backup"
    remedy = _("List them: knowledgetree backup --list. Where they are is said by BACKUP_LOCATION.")
