import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ingestion.selectors import operator
from rag.insight.analytics import InvalidPeriod, Report, period_called, report_of
from rag.management.commands._analytics_output import report_lines
from rag.types import as_json


class Command(BaseCommand):
    help = "Say what was asked, how well it was answered, what it cost and what the documents lack. It sees everything."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--last", default="30d", metavar="PERIOD", help="24h, 30d, 12w … (default 30d)")
        parser.add_argument("--json", action="store_true")

    def handle(self, *, last: str, **options: Any) -> None:
        try:
            report = report_of(period_called(last), operator())
        except InvalidPeriod as error:
            raise CommandError(f"{error} {error.remedy}") from error
        if options["json"]:
            self.stdout.write(json.dumps(_as_data(report), ensure_ascii=False, indent=2, default=str))
            return
        for line in report_lines(report):
            self.stdout.write(line)


def _as_data(report: Report) -> dict[str, Any]:
    data: dict[str, Any] = as_json(report)
    data["total"]["shares"] = as_json(report.total.shares)
    data["judged"]["share"] = report.judged.share
    data["period"] = {"name": report.period.name, "start": report.period.start, "end": report.period.end}
    return data
