from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ingestion.models import Collection
from ingestion.selectors import active_space, operator
from ingestion.selectors.sizes import database_size
from ingestion.services.trial import try_indexing
from knowledgetree import console
from rag.evaluation.datasets.beir import question_texts
from rag.evaluation.load import Load, LoadReport, Search, put_load, resident_megabytes, sentences_as_questions
from rag.evaluation.pages.benchmark import benchmark_page
from rag.management.commands._benchmark_output import indexing_lines, search_lines, size_lines
from rag.management.commands._page_file import write_page
from rag.management.commands._web_process import web_process
from rag.services.search import search_passages
from rag.types import Filters

_WARM_UP = 20  # questions of each reader that load dictionaries, models and connections, and are not counted


class Command(console.Command):
    help = gettext_noop(
        "Measure how fast a preset searches a collection and passages are indexed, and what the database takes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--collection", default="", help=_("identifier; default: the largest one"))
        parser.add_argument("--preset", default="", help=_("the preset to search with (default: the settings')"))
        parser.add_argument(
            "--questions",
            type=Path,
            help=_(
                "a BEIR folder or a .jsonl or .json file, as `evaluate` takes; default: sentences of the collection"
            ),
        )
        parser.add_argument("--limit", type=int, default=200, help=_("number of questions"))
        parser.add_argument("--top-k", type=int, default=10, help=_("number of passages (default: 10)"))
        parser.add_argument("--web", action="store_true", help=_("through the API of a web process of its own"))
        parser.add_argument("--readers", type=int, default=1, help=_("people who search side by side (with --web)"))
        parser.add_argument(
            "--pause", type=float, default=0.0, help=_("seconds that each reads in between, on average")
        )
        parser.add_argument(
            "--no-indexing", action="store_true", help=_("do not index passages on trial (nothing of that stays)")
        )
        parser.add_argument("--html", type=Path, help=_("write a page with charts there; it has figures alone"))
        parser.add_argument("--json", action="store_true", help=_("as JSON, for programs"))

    def handle(self, *, collection: str, **options: Any) -> None:
        if options["readers"] > 1 and not options["web"]:
            raise CommandError(_("Several readers at once are measured with --web."))
        searched = _collection(collection)
        questions = _questions(searched, options["questions"], options["limit"])
        load = Load(readers=options["readers"], pause=options["pause"])
        asked = {name: options[name] for name in ("top_k", "preset") if options[name]}
        report, memory = self._measure(searched, questions, load, asked, web=options["web"])
        trial = None if options["no_indexing"] else try_indexing(searched)
        size = database_size()
        if options["html"]:
            space = active_space()
            page = benchmark_page(report, preset=options["preset"], space=space, size=size, trial=trial, memory=memory)
            write_page(options["html"], page)
        if self.as_json:
            indexing = trial and asdict(trial)
            self.say_json({**asdict(report), "memory_mb": memory, "indexing": indexing, "size": asdict(size)})
            return
        self.say_all(search_lines(searched, options["preset"], report, memory))
        self.say_all(chain(indexing_lines(trial) if trial else (), size_lines(size)))
        for failure in report.failures[:5]:
            self.say(self.style.ERROR(failure))

    def _measure(
        self, collection: Collection, questions: list[str], load: Load, asked: Mapping[str, Any], *, web: bool
    ) -> tuple[LoadReport, float | None]:
        if not web:
            ask = partial(_search_here, collection, asked)
            return self._run(ask, questions, load), resident_megabytes()
        with web_process() as process:
            ask = partial(process.search, collections=collection.slug, **asked)
            report = self._run(ask, questions, load)
            return report, resident_megabytes(process.pid)

    def _run(self, ask: Search, questions: list[str], load: Load) -> LoadReport:
        ask(questions[0])  # what cannot be searched at all ends here
        put_load(ask, questions[: _WARM_UP * load.readers], Load(readers=load.readers), lambda done, total: None)
        with self.progress_bar(_("Questions")) as progress:
            return put_load(ask, questions, load, progress)


def _collection(slug: str) -> Collection:
    if slug:
        found = Collection.objects.filter(slug=slug).first()
        known = ", ".join(Collection.objects.values_list("slug", flat=True)) or "–"
        missing = _("There is no collection “%(name)s”. There are: %(known)s.") % {"name": slug, "known": known}
    else:
        found = Collection.objects.order_by("-statistics__chunks").first()
        missing = _("The knowledge base is empty; begin with: knowledgetree load_sample")
    if found is None:
        raise CommandError(missing)
    return found


def _questions(collection: Collection, path: Path | None, limit: int) -> list[str]:
    questions = question_texts(path.expanduser()) if path else sentences_as_questions(collection, limit)
    if not questions and path:
        raise CommandError(_("%(path)s: there is no question here.") % {"path": path})
    if not questions:
        nothing = _("In the collection “%(name)s” there is nothing to search for; give questions: --questions FILE")
        raise CommandError(nothing % {"name": collection.slug})
    return questions[:limit]


def _search_here(collection: Collection, asked: Mapping[str, Any], question: str) -> Mapping[str, float]:
    found = search_passages(query=question, viewer=operator(), filters=Filters(collections=(collection.slug,)), **asked)
    return found.latency
