import json
from argparse import ArgumentParser, BooleanOptionalAction
from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from ingestion.models import Collection
from ingestion.selectors import operator
from knowledgetree.conf import rag_settings
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.management.commands._progress_bar import progress_bar
from rag.evaluation.answers import AnswerJudge, judge_answers
from rag.evaluation.datasets.dataset_storage import stored_questions
from rag.evaluation.datasets.questions import sampled
from rag.evaluation.measures.intervals import estimates
from rag.evaluation.measures.significance import Difference, compare_scores
from rag.evaluation.retrieval import RetrievalOptions, measure_retrieval
from rag.evaluation.runs import answer_run, earlier_run, last_run, retrieval_run
from rag.llm import step_model
from rag.management.commands._answer_output import answer_lines, judge_lines
from rag.management.commands._dataset_argument import dataset_called
from rag.management.commands._evaluation_output import (
    comparison_lines,
    difference_values,
    option_words,
    retrieval_lines,
)
from rag.models import EvaluationDataset, EvaluationRun

_WITHOUT_KEY = "Bez oceny modelu: brak klucza (ANTHROPIC_API_KEY)."


class Command(BaseCommand):
    help = "Measure retrieval or answers on labelled questions, keep the result, compare it with an earlier one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--dataset",
            default="urzad",
            help="a BEIR folder (retrieval), a .jsonl or .json file of questions (answers), or a stored set's name",
        )
        parser.add_argument("--answers", action="store_true", help="measure answers also where a set has a collection")
        parser.add_argument("--judge", action="store_true", help="have a language model grade the answers too")
        parser.add_argument("--preset", default="")
        parser.add_argument("--limit", type=int, default=0, help="ask only so many questions, drawn by --seed")
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument("--strip-diacritics", action="store_true", help="ask without Polish letters")
        parser.add_argument("--typos", action="store_true", help="ask with a slip of the finger in every question")
        parser.add_argument(
            "--compare", metavar="RUN", default="", help="number of an earlier run, or: last (of answers by itself)"
        )
        parser.add_argument("--save", action=BooleanOptionalAction, default=True, help="keep the run")
        parser.add_argument("--json", action="store_true")

    def handle(self, *, dataset: str, compare: str, **options: Any) -> None:
        self._json, self._quiet, self._save = options["json"], options["verbosity"] == 0, options["save"]
        chosen = RetrievalOptions(
            **{name: options[name] for name in ("preset", "limit", "seed", "strip_diacritics", "typos")}
        )
        try:
            measured = dataset_called(dataset, quiet=self._quiet, say=self._write)
            searched = None if options["answers"] or options["judge"] else measured.collection
            self._announce(measured, chosen, answers=searched is None)
            kind = EvaluationRun.Kind.RETRIEVAL if searched else EvaluationRun.Kind.ANSWERS
            earlier = earlier_run(dataset=measured.name, kind=kind, reference=compare) if compare else None
            if searched:
                run = self._retrieval(measured, searched, chosen)
            else:
                earlier = earlier or last_run(dataset=measured.name, kind=kind)
                run = self._answers(measured, chosen, judge=options["judge"])
            self._conclude(run, earlier)
        except (KnowledgeTreeError, ImproperlyConfigured) as error:
            raise CommandError(str(error)) from error

    def _announce(self, dataset: EvaluationDataset, options: RetrievalOptions, *, answers: bool) -> None:
        if answers and (options.strip_diacritics or options.typos):
            raise CommandError("Opcje --strip-diacritics i --typos dotyczą tylko wyszukiwania w zbiorach z kolekcją.")
        words = option_words({name: getattr(options, name) for name in ("limit", "strip_diacritics", "typos")})
        what = "odpowiedzi" if answers else "wyszukiwanie"
        self._write(", ".join(part for part in (f"Zbiór {dataset.name}: {what}", words) if part))
        self._write("")

    def _retrieval(
        self, dataset: EvaluationDataset, collection: Collection, options: RetrievalOptions
    ) -> EvaluationRun:
        questions = list(stored_questions(dataset))
        with progress_bar("Pytania", quiet=self._quiet) as progress:
            report = measure_retrieval(questions, collection=collection, options=options, progress=progress)
        self._write_all(retrieval_lines(report))
        return retrieval_run(dataset=dataset.name, options=options, report=report)

    def _answers(self, dataset: EvaluationDataset, options: RetrievalOptions, *, judge: bool) -> EvaluationRun:
        questions = sampled(list(stored_questions(dataset)), limit=options.limit, seed=options.seed)
        llm = rag_settings().llm
        model = step_model(llm, "judging") if judge else None
        asked = AnswerJudge(model, timeout=llm.timeout) if model else None
        with progress_bar("Pytania", quiet=self._quiet) as progress:
            report = judge_answers(
                questions,
                viewer=operator() if dataset.collection else AnonymousUser(),
                preset=options.preset,
                collection=dataset.collection,
                judge=asked,
                progress=progress,
            )
        self._write_all(answer_lines(report))
        if judge:
            self._write("")
            self._write_all(judge_lines(report, llm.prices) if asked else [_WITHOUT_KEY])
        return answer_run(dataset=dataset.name, options=options, report=report)

    def _conclude(self, run: EvaluationRun, earlier: EvaluationRun | None) -> None:
        """The comparison, and under which number the run is kept."""
        differences = compare_scores(earlier.scores, run.scores) if earlier else ()
        if self._save:
            run.save()
        if self._json:
            self.stdout.write(json.dumps(_as_json(run, earlier, differences), ensure_ascii=False, indent=2))
            return
        if earlier:
            self._write("")
            self._write_all(comparison_lines(earlier, run, differences))
        self._write("")
        described = f"(preset {run.preset}, wersja {run.version or 'nieznana'})"
        self._write(f"Zapisano jako przebieg {run.pk} {described}." if self._save else f"Nie zapisano {described}.")
        if self._save and not earlier:
            self._write(f"Porównanie z nim później: --compare {run.pk}")

    def _write(self, line: str) -> None:
        if not self._json:
            self.stdout.write(line)

    def _write_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._write(line)


def _as_json(run: EvaluationRun, earlier: EvaluationRun | None, differences: Sequence[Difference]) -> dict[str, Any]:
    content = {
        "run": run.pk,
        "dataset": run.dataset,
        "kind": run.kind,
        "preset": run.preset,
        "options": run.options,
        "version": run.version,
        "questions": run.questions,
        "metrics": run.metrics,
        "intervals": {
            one.measure: {"low": round(one.low, 4), "high": round(one.high, 4), "questions": one.questions}
            for one in estimates(run.scores)
        },
        "latency": run.latency,
    }
    if earlier:
        content["compared_with"] = earlier.pk
        content["differences"] = {item.measure: difference_values(item) for item in differences}
    return content
