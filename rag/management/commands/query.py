import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ingestion.selectors import operator
from rag.events import AnswerDelta, Completed, DraftRevised, Failed, Noticed
from rag.services.ask import ask
from rag.services.ask_request import AskRequest
from rag.types import Answer, Citation, Filters, as_json


class Command(BaseCommand):
    help = "Ask a question; the answer is written as it comes, its sources below. The command sees every collection."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("question")
        parser.add_argument("--collection", action="append", default=[], help="ask only this one; may be repeated")
        parser.add_argument("--include-expired", action="store_true", help="also documents no longer in force")
        parser.add_argument("--preset", default="")
        parser.add_argument("--json", action="store_true")

    def handle(self, *, question: str, **options: Any) -> None:
        filters = Filters(collections=tuple(options["collection"]), include_expired=options["include_expired"])
        request = AskRequest(
            question=question, viewer=operator(), filters=filters, preset=options["preset"], save=False
        )
        for event in ask(request):
            if isinstance(event, Failed):
                raise CommandError(f"{event.message} {event.remedy}".strip())
            if isinstance(event, Completed):
                self._finish(event.answer, as_object=options["json"])
            elif isinstance(event, DraftRevised) and not options["json"]:
                self.stdout.write("\n")
            elif isinstance(event, AnswerDelta) and not options["json"]:
                self.stdout.write(event.text, ending="")
            elif isinstance(event, Noticed) and not options["json"]:
                self.stderr.write(event.notice.message)

    def _finish(self, answer: Answer, *, as_object: bool) -> None:
        if as_object:
            self.stdout.write(json.dumps(as_json(answer), ensure_ascii=False, indent=2))
            return
        if answer.metrics.cache:  # such an answer comes at once, without deltas
            self.stdout.write(answer.text, ending="")
        self.stdout.write("\n\n")
        for correction in answer.corrections:
            self.stdout.write(f"Pokazuję wyniki dla: {correction.searched} (zamiast: {correction.typed})")
        for citation in answer.citations:
            self.stdout.write(f"[{citation.number}] {self.style.SUCCESS(citation.title)}  {place(citation)}")
        if answer.outcome == "not_found" and answer.passages:
            self.stdout.write("Najbliższe fragmenty:")
            for passage in answer.passages[:3]:
                self.stdout.write(f"  {passage.title}: {' '.join(passage.text.split())[:120]}…")
        if total := answer.metrics.latency.get("total"):
            self.stdout.write(f"{total:.0f} ms" + (" (z pamięci podręcznej)" if answer.metrics.cache else ""))


def place(citation: Citation) -> str:
    page = f"s. {citation.page_start}, " if citation.page_start else ""
    return f"{' › '.join(citation.heading_path)} ({page}w. {citation.line_start}–{citation.line_end}) {citation.uri}"
