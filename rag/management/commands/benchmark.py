import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from ingestion.models import Collection
from ingestion.selectors import active_space, operator
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.management.commands._progress_bar import progress_bar
from rag.evaluation.datasets.beir import question_texts
from rag.evaluation.load import Load, LoadReport, Search, put_load, resident_megabytes, sentences_as_questions
from rag.management.commands._evaluation_output import latency_lines, number
from rag.management.commands._web_process import web_process
from rag.services.search import search_passages
from rag.types import Filters

_WARM_UP = 20  # questions of each reader that load dictionaries, models and connections, and are not counted


class Command(BaseCommand):
    help = "Measure how fast a preset searches a collection: latency per stage, throughput, memory."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--collection", default="", help="identifier; default: the largest one")
        parser.add_argument("--preset", default="")
        parser.add_argument(
            "--questions",
            type=Path,
            help="a BEIR folder or a .jsonl or .json file, as `evaluate` takes; default: sentences of the collection",
        )
        parser.add_argument("--limit", type=int, default=200, help="number of questions")
        parser.add_argument("--top-k", type=int, default=10)
        parser.add_argument("--web", action="store_true", help="through the API of a web process of its own")
        parser.add_argument("--readers", type=int, default=1, help="people who search side by side (with --web)")
        parser.add_argument("--pause", type=float, default=0.0, help="seconds that each reads in between, on average")
        parser.add_argument("--json", action="store_true")

    def handle(self, *, collection: str, **options: Any) -> None:
        if options["readers"] > 1 and not options["web"]:
            raise CommandError("Wielu czytelników naraz mierzy się z opcją --web.")
        searched = _collection(collection)
        questions = _questions(searched, options["questions"], options["limit"])
        load = Load(readers=options["readers"], pause=options["pause"])
        asked = {name: options[name] for name in ("top_k", "preset") if options[name]}
        try:
            report, memory = self._measured(searched, questions, load, asked, web=options["web"], quiet=options["json"])
        except (KnowledgeTreeError, ImproperlyConfigured) as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps({**asdict(report), "memory_mb": memory}, ensure_ascii=False, indent=2))
        else:
            self._write(searched, options["preset"], report, memory)

    def _measured(
        self,
        collection: Collection,
        questions: list[str],
        load: Load,
        asked: Mapping[str, Any],
        *,
        web: bool,
        quiet: bool,
    ) -> tuple[LoadReport, float | None]:
        if not web:
            ask = partial(_search_here, collection, asked)
            return self._run(ask, questions, load, quiet=quiet), resident_megabytes()
        with web_process() as process:
            ask = partial(process.search, collections=collection.slug, **asked)
            report = self._run(ask, questions, load, quiet=quiet)
            return report, resident_megabytes(process.pid)

    def _run(self, ask: Search, questions: list[str], load: Load, *, quiet: bool) -> LoadReport:
        ask(questions[0])  # what cannot be searched at all ends here
        put_load(ask, questions[: _WARM_UP * load.readers], Load(readers=load.readers), lambda done, total: None)
        with progress_bar("Pytania", quiet=quiet) as progress:
            return put_load(ask, questions, load, progress)

    def _write(self, collection: Collection, preset: str, report: LoadReport, memory: float | None) -> None:
        for line in _lines(collection, preset, report, memory):
            self.stdout.write(line)
        for failure in report.failures[:5]:
            self.stdout.write(self.style.ERROR(failure))


def _lines(collection: Collection, preset: str, report: LoadReport, memory: float | None) -> Iterator[str]:
    space = active_space()
    yield f"Kolekcja {collection.slug}, profil {preset or 'domyślny'}, przestrzeń wektorowa {space or 'brak'}"
    pause = f", każdy czyta {number(report.load.pause, 1)} s" if report.load.pause else ""
    yield f"Pytania: {report.searches}, błędy: {len(report.failures)}, czytelnicy: {report.load.readers}{pause}"
    yield ""
    yield from latency_lines(report.latency)
    yield ""
    yield f"Wyszukiwań na sekundę: {number(report.throughput, 1)}"
    yield f"Pamięć procesu: {number(memory, 0)} MB" if memory else "Pamięć procesu: system jej nie podaje"


def _collection(slug: str) -> Collection:
    if slug:
        found = Collection.objects.filter(slug=slug).first()
        known = ", ".join(Collection.objects.values_list("slug", flat=True)) or "–"
        missing = f"Nie ma kolekcji „{slug}”. Są: {known}."
    else:
        found = Collection.objects.order_by("-statistics__chunks").first()
        missing = "Baza wiedzy jest pusta; zacznij od: manage.py load_sample"
    if found is None:
        raise CommandError(missing)
    return found


def _questions(collection: Collection, path: Path | None, limit: int) -> list[str]:
    try:
        questions = question_texts(path.expanduser()) if path else sentences_as_questions(collection, limit)
    except KnowledgeTreeError as error:
        raise CommandError(str(error)) from error
    if not questions and path:
        raise CommandError(f"{path}: nie ma tu żadnego pytania.")
    if not questions:
        raise CommandError(f"W kolekcji „{collection.slug}” nie ma czego szukać; podaj pytania: --questions PLIK")
    return questions[:limit]


def _search_here(collection: Collection, asked: Mapping[str, Any], question: str) -> Mapping[str, float]:
    found = search_passages(query=question, viewer=operator(), filters=Filters(collections=(collection.slug,)), **asked)
    return found.latency
