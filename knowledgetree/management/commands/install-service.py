import os  # noqa: N999  (the command is called with a hyphen)
import re
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from knowledgetree import console
from knowledgetree.systemd.environment_file import file_text, settings_in_force
from knowledgetree.systemd.installing import SYSTEM, complaints, enable_units, write_environment, write_units
from knowledgetree.systemd.units import TARGET, Installation, UnitFile, units


class Command(console.Command):
    help = gettext_noop(
        "Show the program as services of systemd, made of the settings in force; write them with --write, or with "
        "--yes as root."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--user", default="knowledgetree", help=_("whom they run as (default: knowledgetree)"))
        parser.add_argument("--host", default="127.0.0.1", help=_("the address to listen on (default: 127.0.0.1)"))
        parser.add_argument("--port", type=int, default=8000, help=_("the port to listen on (default: 8000)"))
        parser.add_argument("--web-processes", type=int, default=2, help=_("processes of the web server (default: 2)"))
        parser.add_argument("--workers", type=int, default=1, help=_("how many workers (default: 1)"))
        parser.add_argument(
            "--environment", type=Path, default=Path("/etc/knowledgetree.env"), help=_("the file of their settings")
        )
        parser.add_argument("--backup-at", metavar="HH:MM", default="", help=_("with a backup every day at this time"))
        parser.add_argument("--write", type=Path, metavar="DIR", help=_("write the files into this folder"))
        parser.add_argument("--yes", action="store_true", help=_("as root: put them in place"))
        parser.add_argument("--enable", action="store_true", help=_("and start them, now and with the machine"))

    def handle(self, *, write: Path | None, yes: bool, enable: bool, environment: Path, **options: Any) -> None:
        _refuse(yes=yes, enable=enable, **options)
        files = units(_installation(environment, options))
        values = settings_in_force(settings.VAR_DIR.absolute())
        for file in files:
            self.say(self.style.MIGRATE_HEADING(f"# {file.name}"))
            self.say(file.text)
        self.say(self.style.MIGRATE_HEADING(f"# {environment}"))
        self.say_all(f"{name}=…" if _is_secret(name) else line for name, line in _lines(values))
        self._hint(options)
        if not (write or yes):
            self.say(_("Nothing was written. To write them: --write DIR, or as root --yes"))
            return
        folder = write or SYSTEM
        write_units(files, folder)
        self._write_environment(file_text(values), folder / environment.name if write else environment)
        self._verify(folder, files)
        if enable:
            enable_units()
            self.say(_("They run: systemctl status %(target)s") % {"target": TARGET})
        elif yes:
            start = _("To start them: systemctl daemon-reload && systemctl enable --now %(target)s")
            self.say(start % {"target": TARGET})

    def _hint(self, options: dict[str, Any]) -> None:
        self.say()
        if "EMBEDDED_DIRECTORY" in settings.DATABASES["default"]:
            self.say(_("The database is the embedded one. For many readers set DATABASE_URL (docs/production.md)."))
        if settings.BACKUP_LOCATION and options["backup_at"]:
            self.say(_("BACKUP_LOCATION is set, so the worker makes a backup every night too."))
        owner = {"user": options["user"], "folder": settings.VAR_DIR.absolute()}
        self.say(_("The user %(user)s has to be there and to own %(folder)s.") % owner)

    def _write_environment(self, text: str, path: Path) -> None:
        if write_environment(text, path):
            self.say(_("Written: %(path)s, with secrets, for its owner alone.") % {"path": path})
        else:
            self.say(_("%(path)s is there already and was left as it is.") % {"path": path})

    def _verify(self, folder: Path, files: list[UnitFile]) -> None:
        said = complaints(folder, files)
        if said:
            raise CommandError(_("systemd does not like them: %(said)s") % {"said": said})
        verified = _("Written to %(folder)s; systemd finds no fault in them.")
        unverified = _("Written to %(folder)s; there is no systemd here to look at them.")
        self.say((unverified if said is None else verified) % {"folder": folder})


def _refuse(*, yes: bool, enable: bool, backup_at: str, workers: int, user: str, **_options: Any) -> None:
    if yes and os.geteuid():
        raise CommandError(_("--yes writes to %(folder)s, which root alone may.") % {"folder": SYSTEM})
    if enable and not yes:
        raise CommandError(_("--enable starts what --yes puts in place; give both."))
    if backup_at and not re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", backup_at):
        raise CommandError(_("--backup-at is a time of day, as 02:30."))
    if workers < 1:
        raise CommandError(_("Documents are read by a worker; there must be one."))
    if not re.fullmatch(r"[a-z_][a-z0-9_-]*", user):
        raise CommandError(_("“%(user)s” is no name of a user.") % {"user": user})


def _installation(environment: Path, options: dict[str, Any]) -> Installation:
    local = settings.BACKUP_LOCATION and not settings.BACKUP_LOCATION.startswith("s3:")
    backups = [Path(settings.BACKUP_LOCATION).absolute()] if local else []
    return Installation(
        python=Path(sys.executable),
        folder=settings.BASE_DIR,
        writable=(settings.VAR_DIR.absolute(), *backups),
        environment=environment,
        embedded="EMBEDDED_DIRECTORY" in settings.DATABASES["default"],
        backups_kept=settings.BACKUPS_KEPT,
        **{name: options[name] for name in ("user", "host", "port", "web_processes", "workers", "backup_at")},
    )


def _lines(values: dict[str, str]) -> list[tuple[str, str]]:
    return [(name, file_text({name: value}).rstrip("\n")) for name, value in values.items()]


def _is_secret(name: str) -> bool:
    """Addresses of servers may have a password in them."""
    return not name.endswith("_FILE") and bool(
        re.search(r"SECRET|PASSWORD|KEY|TOKEN|HEADERS|DATABASE_URL|REDIS_URL", name)
    )
