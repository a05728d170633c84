import json
import re
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from time import perf_counter
from typing import Any

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from ingestion.models import Collection
from ingestion.services.corpora import index_corpus, read_corpus
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.management.commands._evaluation_output import (
    answer_lines,
    comparison_lines,
    difference_values,
    number,
    option_words,
    retrieval_lines,
)
from knowledgetree.management.commands._progress_bar import progress_bar
from rag.evaluation.answers import judge_answers
from rag.evaluation.beir import CORPUS, read_folder
from rag.evaluation.datasets import store_dataset, stored_questions
from rag.evaluation.questions import read_questions
from rag.evaluation.retrieval import RetrievalOptions, measure_retrieval
from rag.evaluation.runs import earlier_run, store_answer_run, store_retrieval_run
from rag.evaluation.significance import compare_scores
from rag.models import EvaluationDataset, EvaluationRun

# Sets that come with the program, by the name they are known under.
_SHIPPED = {"urzad": settings.BASE_DIR / "fixtures/urzad/questions.jsonl"}


class Command(BaseCommand):
    help = "Measure retrieval or answers on labelled questions, keep the result, compare it with an earlier one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--dataset",
            default="urzad",
            help="a BEIR folder (retrieval), a .jsonl or .json file of questions (answers), or a stored set's name",
        )
        parser.add_argument("--preset", default="")
        parser.add_argument("--limit", type=int, default=0, help="ask only so many questions, drawn by --seed")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--strip-diacritics", action="store_true", help="ask without Polish letters")
        parser.add_argument("--typos", action="store_true", help="ask with a slip of the finger in every question")
        parser.add_argument("--compare", metavar="RUN", default="", help="number of an earlier run, or: last")
        parser.add_argument("--json", action="store_true")

    def handle(self, *, dataset: str, compare: str, **options: Any) -> None:
        self._json, self._quiet = options["json"], options["verbosity"] == 0
        chosen = RetrievalOptions(
            **{name: options[name] for name in ("preset", "limit", "seed", "strip_diacritics", "typos")}
        )
        try:
            measured = self._dataset(dataset)
            self._announce(measured, chosen)
            kind = EvaluationRun.Kind.RETRIEVAL if measured.collection else EvaluationRun.Kind.ANSWERS
            earlier = earlier_run(dataset=measured.name, kind=kind, reference=compare) if compare else None
            if measured.collection:
                run = self._retrieval(measured, measured.collection, chosen)
            else:
                run = self._answers(measured, chosen)
            self._conclude(run, earlier)
        except (KnowledgeTreeError, ImproperlyConfigured) as error:
            raise CommandError(str(error)) from error

    def _dataset(self, reference: str) -> EvaluationDataset:
        """The set that `reference` means; a file or folder is read anew, and indexed where it changed."""
        path = Path(_SHIPPED.get(reference, reference)).expanduser()
        if path.is_dir():
            return self._folder(path)
        if path.is_file():
            name = reference if reference in _SHIPPED else path.stem
            return store_dataset(name=name, questions=list(read_questions(path)))
        stored = EvaluationDataset.objects.select_related("collection").filter(name=reference).first()
        if stored is None:
            known = ", ".join(EvaluationDataset.objects.values_list("name", flat=True)) or "urzad"
            raise CommandError(f"Nie ma pliku, folderu ani zbioru „{reference}”. Znane zbiory: {known}.")
        return stored

    def _folder(self, path: Path) -> EvaluationDataset:
        questions = read_folder(path)
        entries = list(read_corpus(path / CORPUS))
        name = path.resolve().name
        collection, _created = Collection.objects.get_or_create(
            slug=_slug(name),
            defaults={"name": f"Ewaluacja: {name}", "visibility": Collection.Visibility.RESTRICTED},
        )
        started = perf_counter()
        with progress_bar("Indeksowanie", quiet=self._quiet) as progress:
            report = index_corpus(collection=collection, entries=entries, progress=progress)
        seconds = perf_counter() - started
        speed = f", {report.chunks / seconds:.0f} fragmentów/s" if report.chunks else ""
        self._write(
            f"Indeks: {report.indexed} nowych dokumentów, {report.unchanged} bez zmian, {report.removed} usuniętych "
            f"({number(seconds, 1)} s{speed})"
        )
        return store_dataset(name=name, questions=questions, collection=collection)

    def _announce(self, dataset: EvaluationDataset, options: RetrievalOptions) -> None:
        words = option_words({name: getattr(options, name) for name in ("limit", "strip_diacritics", "typos")})
        if words and not dataset.collection:
            raise CommandError("Opcje --limit, --strip-diacritics i --typos dotyczą tylko zbiorów z kolekcją.")
        what = "wyszukiwanie" if dataset.collection else "odpowiedzi"
        self._write(", ".join(part for part in (f"Zbiór {dataset.name}: {what}", words) if part))
        self._write("")

    def _retrieval(
        self, dataset: EvaluationDataset, collection: Collection, options: RetrievalOptions
    ) -> EvaluationRun:
        questions = list(stored_questions(dataset))
        with progress_bar("Pytania", quiet=self._quiet) as progress:
            report = measure_retrieval(questions, collection=collection, options=options, progress=progress)
        self._write_all(retrieval_lines(report))
        return store_retrieval_run(dataset=dataset.name, options=options, report=report)

    def _answers(self, dataset: EvaluationDataset, options: RetrievalOptions) -> EvaluationRun:
        questions = list(stored_questions(dataset))
        with progress_bar("Pytania", quiet=self._quiet) as progress:
            report = judge_answers(questions, viewer=AnonymousUser(), preset=options.preset, progress=progress)
        self._write_all(answer_lines(report))
        return store_answer_run(dataset=dataset.name, preset=options.preset, report=report)

    def _conclude(self, run: EvaluationRun, earlier: EvaluationRun | None) -> None:
        """The comparison, and under which number the run is kept."""
        differences = compare_scores(earlier.scores, run.scores) if earlier else ()
        if self._json:
            self.stdout.write(json.dumps(_as_json(run, earlier, differences), ensure_ascii=False, indent=2))
            return
        if earlier:
            self._write("")
            self._write_all(comparison_lines(earlier, run, differences))
        self._write("")
        self._write(f"Zapisano jako przebieg {run.pk} (preset {run.preset}, wersja {run.version or 'nieznana'}).")
        if not earlier:
            self._write(f"Porównanie z nim później: --compare {run.pk}")

    def _write(self, line: str) -> None:
        if not self._json:
            self.stdout.write(line)

    def _write_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._write(line)


def _as_json(run: EvaluationRun, earlier: EvaluationRun | None, differences: Iterable[Any]) -> dict[str, Any]:
    content = {
        "run": run.pk,
        "dataset": run.dataset,
        "kind": run.kind,
        "preset": run.preset,
        "options": run.options,
        "version": run.version,
        "questions": run.questions,
        "metrics": run.metrics,
        "latency": run.latency,
    }
    if earlier:
        content["compared_with"] = earlier.pk
        content["differences"] = {item.measure: difference_values(item) for item in differences}
    return content


def _slug(name: str) -> str:
    return f"eval-{re.sub(r'[^a-z0-9-]+', '-', name.lower()).strip('-')}"[:80]
