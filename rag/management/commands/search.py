import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ingestion.selectors import operator
from knowledgetree.errors import KnowledgeTreeError
from rag.search.hits import forms_found, styled_hits
from rag.search.stages.explanation import in_words
from rag.services.search import search_passages
from rag.types import Filters, Passage, SearchResult, as_json


class Command(BaseCommand):
    help = "Search the knowledge base. The command sees every collection."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("query")
        parser.add_argument("--collection", action="append", default=[], help="search only this one; may be repeated")
        parser.add_argument("--top-k", type=int, default=5)
        parser.add_argument("--include-expired", action="store_true", help="also documents no longer in force")
        parser.add_argument("--explain", action="store_true", help="say why each passage is there")
        parser.add_argument("--json", action="store_true")

    def handle(self, *, query: str, **options: Any) -> None:
        filters = Filters(collections=tuple(options["collection"]), include_expired=options["include_expired"])
        try:
            result = search_passages(query=query, viewer=operator(), filters=filters, top_k=options["top_k"])
        except KnowledgeTreeError as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(as_json(result), ensure_ascii=False, indent=2))
            return
        self._write(result, explain=options["explain"])

    def _write(self, result: SearchResult, *, explain: bool) -> None:
        for correction in result.corrections:
            self.stdout.write(f"Pokazuję wyniki dla: {correction.searched} (zamiast: {correction.typed})")
        if not result.passages:
            self.stdout.write("Nic nie znaleziono.")
        for number, passage in enumerate(result.passages, start=1):
            self.stdout.write(f"\n{number}. {self.style.SUCCESS(passage.title)}  {place(passage)}")
            self.stdout.write(f"   trafność {passage.relevance:.2f} · {passage.uri}")
            self.stdout.write(f"   {self._snippet(passage)}")
            for sentence in in_words(passage.explanation) if explain else ():
                self.stdout.write(f"   · {sentence}")
        self.stdout.write(f"\n{sum(result.latency.values()):.0f} ms, przeszukane fragmenty: {result.chunks_total}")

    def _snippet(self, passage: Passage) -> str:
        """The passage's beginning; words of the question stand out where the terminal has colours."""
        beginning = " ".join(passage.text.split())[:300]
        return styled_hits(beginning, forms_found(passage.explanation.words), hit=self.style.WARNING)


def place(passage: Passage) -> str:
    """Where in the document: headings, page, lines."""
    page = f"s. {passage.page_start}, " if passage.page_start else ""
    return f"{' › '.join(passage.heading_path)} ({page}w. {passage.line_start}–{passage.line_end})".strip()
