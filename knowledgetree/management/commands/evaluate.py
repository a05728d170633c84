import json
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from ingestion.models import Collection
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.management.commands._dataset_argument import dataset_called
from knowledgetree.management.commands._evaluation_output import (
    answer_lines,
    comparison_lines,
    difference_values,
    option_words,
    retrieval_lines,
)
from knowledgetree.management.commands._progress_bar import progress_bar
from rag.evaluation.answers import judge_answers
from rag.evaluation.datasets import stored_questions
from rag.evaluation.retrieval import RetrievalOptions, measure_retrieval
from rag.evaluation.runs import earlier_run, store_answer_run, store_retrieval_run
from rag.evaluation.significance import compare_scores
from rag.models import EvaluationDataset, EvaluationRun


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
            measured = dataset_called(dataset, quiet=self._quiet, say=self._write)
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
