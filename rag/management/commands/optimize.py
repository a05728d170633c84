from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from knowledgetree import console
from knowledgetree.console import number, row
from rag.evaluation.datasets.shipped_sets import GOLDEN_SET
from rag.evaluation.labels import label
from rag.evaluation.optimization.copies import remove_abandoned_copies
from rag.evaluation.optimization.job import change_chunking, check_optimization, write_parts
from rag.evaluation.optimization.labels import MEASURES, shown_changes
from rag.evaluation.optimization.objective import KNOWN, SERVED
from rag.evaluation.optimization.page import optimization_page, settings_line
from rag.evaluation.optimization.result import Optimum
from rag.evaluation.optimization.search import Search
from rag.management.commands._dataset_argument import dataset_called
from rag.management.commands._page_file import write_page
from rag.models import Assistant, EvaluationDataset, Optimization
from rag.presets import preset as preset_called


class Command(console.Command):
    help = gettext_noop(
        "Search for better parts of a preset, or another way to split documents, on half of a set's questions, and "
        "prove the gain on the other half."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = _("a BEIR folder, a file of questions or a set's name")
        parser.add_argument("--dataset", default=GOLDEN_SET, help=what)
        tried = _("what is tried: parts of a preset (default), or how documents are split, in copies nobody sees")
        parser.add_argument("--try", dest="tries", choices=Optimization.Tries.values, default="parts", help=tried)
        higher = _("what is to be higher (default: %(name)s)") % {"name": SERVED}
        parser.add_argument("--measure", choices=KNOWN, default=SERVED, help=higher)
        chosen = parser.add_mutually_exclusive_group()
        chosen.add_argument("--preset", default="", help=_("the preset to better (default: the settings')"))
        chosen.add_argument("--assistant", default="", help=_("the assistant to better, by its identifier"))
        parser.add_argument(
            "--minutes", type=float, default=10.0, help=_("limit of time of the search (default: 10 minutes)")
        )
        parser.add_argument("--new", action="store_true", help=_("begin anew where a search was broken off"))
        parser.add_argument("--may-cost", action="store_true", help=_("also where a language model is asked each time"))
        given = _("give the assistant what is proven; with --try chunking: have the documents split so")
        parser.add_argument("--write", action="store_true", help=given)
        clean = _("only delete copies that a search for a chunking left behind")
        parser.add_argument("--clean", action="store_true", help=clean)
        parser.add_argument("--report", type=Path, metavar="FILE.html", help=_("the result as a page"))
        parser.add_argument("--json", action="store_true", help=_("as JSON, for programs"))

    def handle(self, *, minutes: float, report: Path | None, write: bool, may_cost: bool, **options: Any) -> None:
        if options["clean"]:
            self.say(_("Copies deleted: %(n)d") % {"n": remove_abandoned_copies()})
            return
        if not 0 < minutes <= 24 * 60:
            raise CommandError(_("--minutes must be above zero, and a day at most."))
        if write and options["tries"] == Optimization.Tries.PARTS and not options["assistant"]:
            raise CommandError(_("--write needs --assistant: presets stand in the settings."))
        wanted = _wanted(dataset_called(options["dataset"], self), options, round(60 * minutes) or 1)
        check_optimization(wanted, may_cost=may_cost)
        optimization = self._begin(wanted, anew=options["new"])
        with self.progress_bar(_("Seconds")) as progress:
            optimum = Search(optimization, progress=progress).run()
        if report:
            write_page(report, optimization_page(optimization))
        self.say_all(_lines(optimization, optimum))
        if write and optimum.proven and optimization.tries == Optimization.Tries.CHUNKING:
            self.say(
                _("The documents are being split anew: change %(number)d.") % {"number": change_chunking(optimization)}
            )
        elif write and optimum.proven:
            self.say(_("Written into the assistant “%(name)s”.") % {"name": write_parts(optimization)})
        elif write:
            self.say(_("Nothing was written."))
        if self.as_json:
            self.say_json({"optimization": optimization.pk, "proven": optimum.proven, **asdict(optimum)})

    def _begin(self, wanted: Optimization, *, anew: bool) -> Optimization:
        """The same search that was broken off, with what it has tried; else `wanted`, stored."""
        same = Optimization.objects.filter(
            dataset=wanted.dataset,
            measure=wanted.measure,
            preset=wanted.preset,
            assistant=wanted.assistant,
            tries=wanted.tries,
            parts=wanted.parts,
            job=None,
            result={},
        ).first()
        if same and not anew:
            told = {"number": same.pk, "n": same.trials.count()}
            self.say(_("Going on with search %(number)d: trials so far %(n)d.") % told)
            same.seconds = wanted.seconds
            same.save(update_fields=["seconds"])
            return same
        wanted.save()
        return wanted


def _wanted(dataset: EvaluationDataset, options: dict[str, Any], seconds: int) -> Optimization:
    """Not stored yet. Raises CommandError for an assistant that is not there."""
    wanted = Optimization(dataset=dataset, tries=options["tries"], measure=options["measure"], seconds=seconds)
    if not options["assistant"]:
        wanted.preset = preset_called(options["preset"]).name
        return wanted
    assistant = Assistant.objects.filter(slug=options["assistant"]).first()
    if assistant is None:
        known = ", ".join(Assistant.objects.values_list("slug", flat=True)) or _("none")
        raise CommandError(_("There is no such assistant. Known: %(known)s.") % {"known": known})
    wanted.assistant, wanted.preset, wanted.parts = assistant, assistant.preset_name, assistant.parts
    return wanted


def _lines(optimization: Optimization, optimum: Optimum) -> Iterator[str]:
    """The result, to be read at a terminal."""
    widths = (-26, 10, 10, 10, 10)
    yield _("Search %(number)d: %(measure)s") % {
        "number": optimization.pk,
        "measure": label(MEASURES, optimization.measure),
    }
    yield _("Trials: %(n)d") % {"n": optimization.trials.count()}
    yield ""
    yield row(widths, "", _("questions"), _("before"), _("after"), "p")
    before, after = optimum.searched
    yield row(widths, _("searched on"), optimum.searched_questions, number(before), number(after), "")
    held = optimum.held_out
    yield row(widths, _("held out"), held.questions, number(held.before), number(held.after), number(held.p, 4))
    yield ""
    for name, old, new in shown_changes(optimum.changes):
        yield f"  {name}: {old} → {new}"
    if not optimum.changes:
        yield _("Nothing was found that is better than what is in force.")
    elif not optimum.proven:
        yield _("No gain is proven: on the questions that were held out the difference may be chance.")
    else:
        yield _("The gain is proven on questions that had no part in the search.")
        if optimization.tries == Optimization.Tries.CHUNKING:
            yield _("To have the documents split so, open the search in the administration, or search with --write.")
        elif optimization.assistant is None:
            yield _("To use it, put this into RAG in the settings:")
            yield f"  {settings_line(optimization, optimum)}"
