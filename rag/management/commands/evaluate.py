from argparse import ArgumentParser, BooleanOptionalAction
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.core.management.base import CommandError
from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ingestion.models import Collection
from ingestion.selectors import operator
from knowledgetree import console
from rag.evaluation.answers import AnswerJudge, judge_answers
from rag.evaluation.datasets.dataset_storage import stored_questions
from rag.evaluation.datasets.questions import sampled
from rag.evaluation.datasets.shipped_sets import GOLDEN_SET
from rag.evaluation.everyday.changes import compare_outcomes
from rag.evaluation.everyday.outcomes import everyday_questions, read_outcomes
from rag.evaluation.everyday.report import EverydayReport
from rag.evaluation.everyday.wording import everyday_values
from rag.evaluation.labels import option_words
from rag.evaluation.measures.intervals import estimates
from rag.evaluation.measures.significance import Difference, compare_scores
from rag.evaluation.pages.run import run_page
from rag.evaluation.retrieval import RetrievalOptions, measure_retrieval
from rag.evaluation.runs import answer_run, earlier_run, last_run, question_texts, retrieval_run
from rag.evaluation.worsening import announce_if_worse
from rag.llm import step_model
from rag.llm.configuration import llm_settings
from rag.llm.spending.budgets import affordable
from rag.llm.spending.price_list import current_prices
from rag.management.commands._answer_output import answer_lines, judge_lines
from rag.management.commands._dataset_argument import dataset_called
from rag.management.commands._evaluation_output import comparison_lines, difference_values, retrieval_lines
from rag.management.commands._everyday_output import change_lines, everyday_lines
from rag.management.commands._page_file import write_page
from rag.models import EvaluationDataset, EvaluationRun
from rag.selectors import for_everyone


class Command(console.Command):
    help = gettext_noop(
        "Measure retrieval or answers on labelled questions, keep the result, compare it with an earlier one."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = _("a BEIR folder (retrieval), a .jsonl or .json file of questions (answers), or a set's name")
        parser.add_argument("named", nargs="?", metavar="SET", default="", help=what)
        parser.add_argument(
            "--dataset", default=GOLDEN_SET, help=_("the same (default: %(name)s)") % {"name": GOLDEN_SET}
        )
        parser.add_argument(
            "--answers", action="store_true", help=_("measure answers also where a set has a collection")
        )
        parser.add_argument("--judge", action="store_true", help=_("have a language model grade the answers too"))
        parser.add_argument("--preset", default="", help=_("the preset to search with (default: the settings')"))
        parser.add_argument("--limit", type=int, default=0, help=_("ask only so many questions, drawn by --seed"))
        parser.add_argument("--seed", type=int, default=0, help=_("of the drawing (default: 0)"))
        parser.add_argument("--strip-diacritics", action="store_true", help=_("ask without Polish letters"))
        parser.add_argument("--typos", action="store_true", help=_("ask with a slip of the finger in every question"))
        parser.add_argument(
            "--compare", metavar="RUN", default="", help=_("number of an earlier run, or: last (of answers by itself)")
        )
        parser.add_argument(
            "--run",
            metavar="RUN",
            default="",
            help=_("measure nothing: tell of this kept run of the set, or: last"),
        )
        parser.add_argument(
            "--report", type=Path, metavar="FILE.html", help=_("the result as a page, with its answers")
        )
        parser.add_argument("--save", action=BooleanOptionalAction, default=True, help=_("keep the run"))
        parser.add_argument("--json", action="store_true", help=_("as JSON, for programs"))

    def handle(self, *, named: str, dataset: str, compare: str, **options: Any) -> None:
        self._save, self._report = options["save"] and not options["run"], options["report"]
        self._answers_given: dict[str, str] = {}
        chosen = RetrievalOptions(
            **{name: options[name] for name in ("preset", "limit", "seed", "strip_diacritics", "typos")}
        )
        measured = dataset_called(named or dataset, self)
        searched = None if options["answers"] or options["judge"] else measured.collection
        kind = EvaluationRun.Kind.RETRIEVAL if searched else EvaluationRun.Kind.ANSWERS
        earlier = earlier_run(dataset=measured.name, kind=kind, reference=compare) if compare else None
        if options["run"]:
            self._conclude(earlier_run(dataset=measured.name, kind=kind, reference=options["run"]), earlier)
            return
        self._announce(measured, chosen, answers=searched is None)
        if searched:
            run = self._retrieval(measured, searched, chosen)
        else:
            earlier = earlier or last_run(dataset=measured.name, kind=kind)
            run = self._answers(measured, chosen, judge=options["judge"])
        self._conclude(run, earlier)

    def _announce(self, dataset: EvaluationDataset, options: RetrievalOptions, *, answers: bool) -> None:
        if answers and (options.strip_diacritics or options.typos):
            raise CommandError(
                _("--strip-diacritics and --typos are for retrieval only, in sets that have a collection.")
            )
        words = option_words({name: getattr(options, name) for name in ("limit", "strip_diacritics", "typos")})
        what = _("Set %(name)s: answers") if answers else _("Set %(name)s: retrieval")
        self.say(", ".join(filter(None, (what % {"name": dataset.name}, words))))
        self.say()

    def _retrieval(
        self, dataset: EvaluationDataset, collection: Collection, options: RetrievalOptions
    ) -> EvaluationRun:
        questions = list(stored_questions(dataset))
        with self.progress_bar(_("Questions")) as progress:
            report = measure_retrieval(questions, collection=collection, options=options, progress=progress)
        self.say_all(retrieval_lines(report))
        return retrieval_run(dataset=dataset.name, options=options, report=report)

    def _answers(self, dataset: EvaluationDataset, options: RetrievalOptions, *, judge: bool) -> EvaluationRun:
        questions = sampled(list(stored_questions(dataset)), limit=options.limit, seed=options.seed)
        llm = llm_settings()
        model = step_model(affordable(llm), "judging") if judge else None
        asked = AnswerJudge(model, timeout=llm.timeout) if model else None
        with self.progress_bar(_("Questions")) as progress:
            report = judge_answers(
                questions,
                viewer=operator() if dataset.collection else AnonymousUser(),
                preset=options.preset,
                collection=dataset.collection,
                judge=asked,
                progress=progress,
            )
        self._answers_given = {item.question.id: for_everyone(item.answer.text) for item in report.judged}
        self.say_all(everyday_lines(EverydayReport(asked=tuple(everyday_questions(report.judged).values()))))
        self.say()
        self.say_all(answer_lines(report))
        if judge:
            without_key = _(
                "Without a model's grades: no model is set up, or this month's budget for models is used up."
            )
            self.say()
            self.say_all(judge_lines(report, current_prices()) if asked else [without_key])
        return answer_run(dataset=dataset.name, options=options, report=report)

    def _conclude(self, run: EvaluationRun, earlier: EvaluationRun | None) -> None:
        """The comparison, and under which number the run is kept."""
        differences = compare_scores(earlier.scores, run.scores) if earlier else ()
        outcomes = read_outcomes(run.outcomes)
        changes = compare_outcomes(read_outcomes(earlier.outcomes), outcomes) if earlier and earlier.outcomes else None
        if self._save:
            with transaction.atomic():
                run.save()
                announce_if_worse(run)
        if self._report:
            write_page(self._report, run_page(run, earlier, answers=self._answers_given))
        if self.as_json:
            everyday = everyday_values(EverydayReport(asked=tuple(outcomes.values())), changes) if outcomes else None
            self.say_json(_as_json(run, earlier, differences, everyday))
            return
        if earlier:
            self.say()
            if changes:
                self.say_all(change_lines(changes, earlier, question_texts(run)))
                self.say()
            self.say_all(comparison_lines(earlier, run, differences))
        self.say()
        described = {"number": run.pk, "preset": run.preset, "version": run.version or _("unknown")}
        kept = _("Kept as run %(number)d (preset %(preset)s, version %(version)s).")
        not_kept = _("Not kept (preset %(preset)s, version %(version)s).")
        self.say((kept if run.pk else not_kept) % described)
        if self._save and not earlier:
            self.say(_("To compare with it later: --compare %(number)d") % described)


def _as_json(
    run: EvaluationRun,
    earlier: EvaluationRun | None,
    differences: Sequence[Difference],
    everyday: dict[str, Any] | None,
) -> dict[str, Any]:
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
    if everyday:
        content["everyday"] = everyday
    if earlier:
        content["compared_with"] = earlier.pk
        content["differences"] = {item.measure: difference_values(item) for item in differences}
    return content
