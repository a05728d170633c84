from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ingestion.selectors import operator
from knowledgetree import console
from rag.events import AnswerDelta, Completed, DraftRevised, Event, Failed, Noticed
from rag.management.commands._places import corrected, place
from rag.services.ask import ask
from rag.services.ask_request import AskRequest
from rag.services.understanding import scope_of
from rag.types import Answer, Filters, as_json


class Command(console.Command):
    help = gettext_noop(
        "Ask a question; the answer is written as it comes, its sources below. The command sees every collection."
    )
    audited = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("question")
        parser.add_argument("--collection", action="append", default=[], help=_("ask only this one; may be repeated"))
        parser.add_argument("--include-expired", action="store_true", help=_("also documents no longer in force"))
        parser.add_argument("--preset", default="", help=_("the preset to ask with (default: the settings')"))
        parser.add_argument("--json", action="store_true", help=_("as JSON, for programs"))

    def handle(self, *, question: str, **options: Any) -> None:
        filters = Filters(collections=tuple(options["collection"]), include_expired=options["include_expired"])
        request = AskRequest(
            question=question, viewer=operator(), filters=filters, preset=options["preset"], save=False
        )
        with closing(ask(request, scope=scope_of(request))) as events:
            for event in events:
                self._say_event(event)

    def _say_event(self, event: Event) -> None:
        if isinstance(event, Failed):
            raise CommandError(f"{event.message} {event.remedy}".strip())
        if isinstance(event, Completed):
            self._finish(event.answer)
        elif isinstance(event, DraftRevised):
            self.say()
        elif isinstance(event, AnswerDelta):
            self.say(event.text, ending="")
        elif isinstance(event, Noticed) and not self.as_json:
            self.stderr.write(event.notice.message)

    def _finish(self, answer: Answer) -> None:
        if self.as_json:
            self.say_json(as_json(answer))
            return
        if answer.metrics.cache:  # such an answer comes at once, without deltas
            self.say(answer.text, ending="")
        self.say("\n\n", ending="")
        self.say_all(self._source_lines(answer))

    def _source_lines(self, answer: Answer) -> Iterator[str]:
        for correction in answer.corrections:
            yield corrected(correction)
        for citation in answer.citations:
            yield f"[{citation.number}] {self.style.SUCCESS(citation.title)}  {place(citation)} {citation.uri}"
        if answer.outcome == "not_found" and answer.passages:
            yield _("The nearest passages:")
            for passage in answer.passages[:3]:
                yield f"  {passage.title}: {' '.join(passage.text.split())[:120]}…"
        if total := answer.metrics.latency.get("total"):
            yield f"{total:.0f} ms" + (_(" (from the cache)") if answer.metrics.cache else "")
