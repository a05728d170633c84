import json
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from knowledgetree.diagnosis import Diagnosis, diagnose

_SIGNS = {True: "✓", False: "✗", None: "·"}


class Command(BaseCommand):
    help = "Say what works, what is missing and how to get it. Exit status 1 where something is wrong."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true")

    def handle(self, **options: Any) -> None:
        findings = list(diagnose())
        if options["json"]:
            self.stdout.write(json.dumps([asdict(finding) for finding in findings], ensure_ascii=False, indent=2))
        else:
            for finding in findings:
                self._write(finding)
        wrong = sum(finding.well is False for finding in findings)
        if wrong:
            raise CommandError(f"Do naprawienia: {wrong}.")

    def _style(self, finding: Diagnosis) -> Callable[[str], str] | None:
        return None if finding.well is None else self.style.SUCCESS if finding.well else self.style.ERROR

    def _write(self, finding: Diagnosis) -> None:
        self.stdout.write(f"{_SIGNS[finding.well]} {finding.subject:<22} {finding.detail}", self._style(finding))
        if finding.remedy:
            self.stdout.write(f"  {'':<22} → {finding.remedy}")
