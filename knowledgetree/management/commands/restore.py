from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from knowledgetree import console
from knowledgetree.backups import Manifest, find_backup, restore_backup
from knowledgetree.backups.drill import run_drill
from knowledgetree.backups.manifest import LATEST, SECRETS


class Command(console.Command):
    help = gettext_noop("Put a backup back, or try beside the living installation whether it can be.")

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", default=LATEST, help=_("a backup by its name (default: the latest)"))
        parser.add_argument("--replace", action="store_true", help=_("give up what the database has now"))
        drill = _("restore it beside, let doctor look at it, ask both the same questions, and delete it again")
        parser.add_argument("--drill", action="store_true", help=drill)
        parser.add_argument("--questions", type=int, default=5, help=_("how many questions a drill asks (default: 5)"))

    def handle(self, *, name: str, replace: bool, drill: bool, questions: int, **options: Any) -> None:
        manifest = find_backup(name)
        if drill:
            self._try(manifest, questions)
        else:
            self._restore(manifest, replace=replace)

    def _restore(self, manifest: Manifest, *, replace: bool) -> None:
        restored = restore_backup(manifest, replace=replace)
        told = {
            "name": manifest.name,
            "documents": manifest.rows["ingestion_document"],
            "originals": restored.originals,
        }
        self.say(_("Restored: %(name)s; documents: %(documents)d, originals: %(originals)d.") % told)
        if restored.secrets:
            self.say(_("SECRET_KEY was restored too; it counts from the next start."))
        if restored.other_key:
            self.say(
                self.style.WARNING(
                    _(
                        "ENCRYPTION_KEY of the backup is not the one that is set here, and is not put back: take it "
                        "from %(file)s and set it (or ENCRYPTION_KEY_FALLBACKS) before the start, or what the database "
                        "keeps encrypted cannot be read."
                    )
                    % {"file": f"{manifest.name}/{SECRETS}"}
                )
            )
        if not manifest.secrets:
            self.say(
                _(
                    "The backup has no secrets. With another SECRET_KEY or ENCRYPTION_KEY passwords of sources and "
                    "keys of models have to be entered anew."
                )
            )
        if restored.damaged:
            lost = {"n": len(restored.damaged), "first": restored.damaged[0]}
            raise CommandError(_("Originals that the backup does not have whole: %(n)d (%(first)s…).") % lost)
        self.say(_("Start the web server and the worker, then: knowledgetree doctor"))

    def _try(self, manifest: Manifest, questions: int) -> None:
        self.say(_("The backup %(name)s is restored beside; this takes some minutes.") % {"name": manifest.name})
        drill = run_drill(manifest, questions=questions)
        self.say(_("✓ Every row of every table is back; documents: %(n)d.") % {"n": drill.documents})
        for line in drill.wrong:
            self.say(self.style.ERROR(f"✗ {line}"))
        same = drill.questions - len(drill.different)
        self.say(_("Questions answered the same: %(same)d of %(all)d.") % {"same": same, "all": drill.questions})
        for question in drill.different:
            self.say(f"  · {question}")
        if drill.different and drill.changed:
            self.say(_("Documents changed since the backup: %(n)d; that may be why.") % {"n": drill.changed})
        if not drill.questions:
            self.say(_("No evaluation dataset has questions, so none was asked."))
        if not drill.passed:
            raise CommandError(_("The backup cannot be relied on."))
        self.say(self.style.SUCCESS(_("The backup can be relied on.")))
