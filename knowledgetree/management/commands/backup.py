from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from knowledgetree import console
from knowledgetree.backups import Manifest, complete_backups, delete_old_backups, make_backup


class Command(console.Command):
    help = gettext_noop("Make a backup of the database and the originals while people search, or list those there are.")
    audited = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        secrets = _("put SECRET_KEY and ENCRYPTION_KEY into it, which decrypt what the database keeps")
        parser.add_argument("--with-secrets", action="store_true", help=secrets)
        parser.add_argument("--keep", type=int, help=_("delete all but so many of the newest afterwards"))
        parser.add_argument("--list", action="store_true", help=_("list the backups there are, and make none"))
        parser.add_argument("--json", action="store_true", help=_("as JSON, for programs"))

    def handle(self, *, with_secrets: bool, keep: int | None, list: bool, **options: Any) -> None:
        if keep is not None and keep < 1:
            raise CommandError(_("At least one backup has to be kept."))
        made = complete_backups() if list else [make_backup(secrets=with_secrets)]
        deleted = delete_old_backups(keep) if keep and not list else 0
        if self.as_json:
            self.say_json([_told(manifest) for manifest in made])
            return
        for manifest in made:
            self.say(_line(manifest))
        if not made:
            self.say(_("There is no backup yet. Make one: knowledgetree backup"))
        if deleted:
            self.say(
                ngettext("%(n)d old backup was deleted.", "%(n)d old backups were deleted.", deleted) % {"n": deleted}
            )
        if not settings.BACKUP_LOCATION:
            where = settings.VAR_DIR / "backups"
            self.say(
                _("They are in %(folder)s, on the same disk. Let BACKUP_LOCATION name another place.")
                % {"folder": where}
            )
        if not list:
            self.say(_("Try it: knowledgetree restore --drill"))


def _told(manifest: Manifest) -> dict[str, Any]:
    return {
        "name": manifest.name,
        "made": manifest.made,
        "release": manifest.release,
        "database_bytes": manifest.dump_bytes,
        "documents": manifest.rows["ingestion_document"],
        "originals": len(manifest.originals),
        "missing": list(manifest.missing),
        "secrets": manifest.secrets,
    }


def _line(manifest: Manifest) -> str:
    told = {
        "name": manifest.name,
        "when": date_format(timezone.localtime(manifest.moment), "DATETIME_FORMAT"),
        "documents": console.grouped(manifest.rows["ingestion_document"]),
        "originals": console.grouped(len(manifest.originals)),
        "megabytes": console.number(manifest.dump_bytes / 1e6, 1),
    }
    line = (
        _("%(name)s  %(when)s  documents: %(documents)s, originals: %(originals)s, database: %(megabytes)s MB") % told
    )
    return f"{line}, {_('with secrets')}" if manifest.secrets else line
