from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.core.management.base import CommandError
from django.db import DatabaseError, connection, transaction
from django.db.migrations import Migration
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from knowledgetree import console
from knowledgetree.backups import Manifest, make_backup
from knowledgetree.diagnosis import diagnose
from knowledgetree.readiness import Check, database
from knowledgetree.upgrading.migrating import MigrationFailed, apply_migrations, fit_together, pending_migrations
from knowledgetree.upgrading.outdated import THINGS, IndexedThing
from knowledgetree.upgrading.precheck import checks_before


class Command(console.Command):
    help = gettext_noop(
        "After a new release was installed: look whether all is ready, back up, migrate the database, and bring up to "
        "date what an older release indexed."
    )
    requires_system_checks: list[str] = []
    audited = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help=_("say all that would be done, and change nothing"))
        parser.add_argument(
            "--worker-stopped", action="store_true", help=_("the worker was stopped just now: do not wait to see it")
        )
        parser.add_argument("--with-secrets", action="store_true", help=_("put the secrets into the backup too"))
        parser.add_argument(
            "--leave-index", action="store_true", help=_("migrate only; the index is brought up to date later")
        )

    def handle(self, *, dry_run: bool, worker_stopped: bool, leave_index: bool, **options: Any) -> None:
        self._tell(connected := database())
        if not connected.well:
            raise CommandError(_("The upgrade does not begin before that is mended."))
        if not connection.introspection.table_names():
            raise CommandError(_("The database is empty; begin with: knowledgetree migrate"))
        pending = pending_migrations()
        outdated = [] if leave_index else list(_outdated())
        ready = self._look(worker_matters=bool(pending) and not worker_stopped)
        self._plan(pending, outdated)
        if dry_run:
            self.say(_("Nothing was changed."))
        if not ready:
            raise CommandError(_("The upgrade does not begin before that is mended."))
        if dry_run or not (pending or outdated):
            return
        backup = make_backup(secrets=options["with_secrets"])
        self.say(_("✓ Backup made: %(name)s") % {"name": backup.name})
        if pending:
            self._migrate(pending, backup)
        if not leave_index:
            self._renew()
        self._conclude()

    def _look(self, *, worker_matters: bool) -> bool:
        """Whether nothing forbids it."""
        checks = list(checks_before(worker_matters=worker_matters))
        for check in checks:
            self._tell(check)
        return all(check.well for check in checks)

    def _plan(self, pending: list[Migration], outdated: list[tuple[IndexedThing, int | None]]) -> None:
        self.say()
        if not (pending or outdated):
            self.say(_("Nothing is to be done: database and index are those of this release."))
            return
        self.say(_("This is done, in this order:"))
        self.say("  " + _("a backup of database and originals"))
        if pending:
            said = _("migrations of the database: %(n)d, all or none of them")
            singly = _("migrations of the database: %(n)d, one after the other")
            self.say("  " + (said if fit_together(pending) else singly) % {"n": len(pending)})
            for migration in pending:
                self.say(f"    {migration.app_label} {migration.name}")
        for thing, count in outdated:
            self.say(f"  {thing.name}: " + (_("known once the database is migrated") if count is None else str(count)))
        self.say()

    def _migrate(self, pending: list[Migration], backup: Manifest) -> None:
        try:
            apply_migrations(pending)
        except MigrationFailed as error:
            back = f"knowledgetree restore {backup.name} --replace"
            if error.as_before:
                said = _(
                    "The database is as it was before. Go back to the release before and start it, or mend the cause "
                    "and upgrade again. Should you need the backup: %(command)s"
                )
            else:
                said = _(
                    "Some migrations may have been applied. To go back, install the release before and: %(command)s"
                )
            raise CommandError(f"{error} {said % {'command': back}}") from error
        self.say(_("✓ Migrations applied: %(n)d") % {"n": len(pending)})

    def _renew(self) -> None:
        """What is interrupted goes on with the next run, or with the worker."""
        for thing in THINGS:
            if count := thing.outdated():
                with self.progress_bar(str(thing.name)) as progress:
                    thing.renew(progress)
                self.say(_("✓ Brought up to date, %(what)s: %(n)d") % {"what": thing.name, "n": count})

    def _conclude(self) -> None:
        self.say()
        for check in diagnose():
            if check.well is False and check.name != "worker":
                self._tell(check)
        self.say(_("Start the web server and the worker of this release, then: knowledgetree doctor"))

    def _tell(self, check: Check) -> None:
        line = f"{'✓' if check.well else '✗'} {check.subject:<22} {check.detail}".rstrip()
        self.say(self.style.SUCCESS(line) if check.well else self.style.ERROR(line))
        if check.remedy and not check.well:
            self.say(f"  {'':<22} → {check.remedy}")


def _outdated() -> Iterator[tuple[IndexedThing, int | None]]:
    """Those that have something to be renewed; None where tables that a migration will make are needed to count."""
    for thing in THINGS:
        try:
            with transaction.atomic():
                count = thing.outdated()
        except DatabaseError:
            yield thing, None
        else:
            if count:
                yield thing, count
