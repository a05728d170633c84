import json
from argparse import ArgumentParser
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from knowledgetree.diagnosis import Finding, diagnose

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

    def _write(self, finding: Finding) -> None:
        style = {True: self.style.SUCCESS, False: self.style.ERROR, None: str}[finding.well]
        self.stdout.write(f"{style(_SIGNS[finding.well])} {finding.subject:<22} {finding.detail}")
        if finding.remedy:
            self.stdout.write(f"  {'':<22} → {finding.remedy}")
