from argparse import ArgumentParser
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ingestion.selectors import operator
from knowledgetree import console
from rag.management.commands._places import corrected, place
from rag.search.hits import forms_found, styled_hits
from rag.search.reasons import exact_reasons
from rag.services.search import search_passages
from rag.types import Filters, Passage, SearchResult, as_json


class Command(console.Command):
    help = gettext_noop("Search the knowledge base. The command sees every collection.")
    audited = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("query")
        parser.add_argument(
            "--collection", action="append", default=[], help=_("search only this one; may be repeated")
        )
        parser.add_argument("--top-k", type=int, default=5, help=_("number of passages (default: 5)"))
        parser.add_argument("--include-expired", action="store_true", help=_("also documents no longer in force"))
        parser.add_argument("--explain", action="store_true", help=_("say why each passage is there"))
        parser.add_argument("--json", action="store_true", help=_("as JSON, for programs"))

    def handle(self, *, query: str, **options: Any) -> None:
        filters = Filters(collections=tuple(options["collection"]), include_expired=options["include_expired"])
        result = search_passages(query=query, viewer=operator(), filters=filters, top_k=options["top_k"])
        self.say_all(self._lines(result, explain=options["explain"]))
        if self.as_json:
            self.say_json(as_json(result))

    def _lines(self, result: SearchResult, *, explain: bool) -> Iterator[str]:
        yield from map(corrected, result.corrections)
        if not result.passages:
            yield _("Nothing was found.")
        for n, passage in enumerate(result.passages, start=1):
            yield f"\n{n}. {self.style.SUCCESS(passage.title)}  {place(passage).strip()}"
            yield "   " + _("relevance %(share).2f") % {"share": passage.relevance} + f" · {passage.uri}"
            yield f"   {self._snippet(passage)}"
            for sentence in exact_reasons(passage.explanation) if explain else ():
                yield f"   · {sentence}"
        took = {"milliseconds": sum(result.latency.values()), "chunks": result.chunks_total}
        yield "\n" + _("%(milliseconds).0f ms, chunks searched: %(chunks)d") % took

    def _snippet(self, passage: Passage) -> str:
        """The passage's beginning; words of the question stand out where the terminal has colours."""
        beginning = " ".join(passage.text.split())[:300]
        return styled_hits(beginning, forms_found(passage.explanation.words), hit=self.style.WARNING)
