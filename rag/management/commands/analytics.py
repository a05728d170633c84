from argparse import ArgumentParser
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ingestion.selectors import operator
from knowledgetree import console
from rag.insight.analytics import Report, period_called, report_of
from rag.management.commands._analytics_output import report_lines
from rag.types import as_json


class Command(console.Command):
    help = gettext_noop(
        "Say what was asked, how well it was answered, what it cost and what the documents lack. It sees everything."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--last", default="30d", metavar="PERIOD", help=_("24h, 30d, 12w … (default: 30d)"))
        parser.add_argument("--json", action="store_true", help=_("as JSON, for programs"))

    def handle(self, *, last: str, **options: Any) -> None:
        report = report_of(period_called(last), operator())
        self.say_all(report_lines(report))
        if self.as_json:
            self.say_json(_as_json(report))


def _as_json(report: Report) -> dict[str, Any]:
    told: dict[str, Any] = as_json(report)
    told["total"]["shares"] = as_json(report.total.shares)
    told["judged"]["share"] = report.judged.share
    told["period"] = {"name": report.period.name, "start": report.period.start, "end": report.period.end}
    return told
