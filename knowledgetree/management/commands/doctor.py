from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from knowledgetree import console
from knowledgetree.diagnosis import diagnose
from knowledgetree.readiness import Check

_SIGNS = {True: "✓", False: "✗", None: "·"}


class Command(console.Command):
    help = gettext_noop("Say what works, what is missing and how to get it. Exit status 1 where something is wrong.")
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help=_("as JSON, for programs"))

    def handle(self, **options: Any) -> None:
        checks = list(diagnose())
        for check in checks:
            self._write(check)
        if self.as_json:
            self.say_json([_told(check) for check in checks])
        if wrong := sum(check.well is False for check in checks):
            raise CommandError(_("To be mended: %(n)d.") % {"n": wrong})

    def _write(self, check: Check) -> None:
        line = f"{_SIGNS[check.well]} {check.subject:<22} {check.detail}"
        style = self.style.SUCCESS if check.well else self.style.ERROR
        self.say(line if check.well is None else style(line))
        if remedy := _remedy(check):
            self.say(f"  {'':<22} → {remedy}")


def _told(check: Check) -> dict[str, Any]:
    return {
        "name": check.name,
        "subject": check.subject,
        "well": check.well,
        "detail": check.detail,
        "remedy": _remedy(check),
    }


def _remedy(check: Check) -> str:
    """Nothing is to be done yet where nothing waits for it."""
    return check.remedy if check.pressing else ""
