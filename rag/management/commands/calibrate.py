from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ingestion.models import EmbeddingSpace
from ingestion.selectors import active_space
from knowledgetree import console
from knowledgetree.components import component
from rag.evaluation.calibration.fitting import CalibrationReport, calibrate, inputs_for
from rag.evaluation.calibration.fusion import FusionReport, choose_fusion, current_fusion
from rag.evaluation.calibration.legs import collect_legs
from rag.evaluation.calibration.page import calibration_page
from rag.evaluation.ranked_questions import Drawn, ask_questions, draw_questions
from rag.management.commands._calibration_output import calibration_lines, fusion_lines
from rag.management.commands._dataset_argument import dataset_called
from rag.management.commands._page_file import write_page
from rag.presets import preset
from rag.search.relevance.calibration import as_stored, is_calibrated
from rag.services.calibration import store_calibration


class Command(console.Command):
    help = gettext_noop(
        "Fit relevance, and on request fusion, of an embedding space on labelled questions; say how far to trust it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--dataset", action="append", default=[], help=_("a BEIR folder, a file of questions or a name")
        )
        parser.add_argument("--space", default="", help=_("its name; the active one where not given"))
        parser.add_argument("--reranker", default="", help=_("that of the preset and the space where not given"))
        parser.add_argument(
            "--limit", type=int, default=300, help=_("answerable questions of each set, and as many others")
        )
        parser.add_argument("--seed", type=int, default=0, help=_("of the drawing (default: 0)"))
        parser.add_argument(
            "--alike", action="append", default=[], metavar="A,B", help=_("sets not to be asked of each other")
        )
        parser.add_argument("--fusion", action="store_true", help=_("also choose how vectors and words are joined"))
        parser.add_argument("--dry-run", action="store_true", help=_("measure, change nothing"))
        parser.add_argument("--report", type=Path, metavar="FILE.html", help=_("the measurement as a page"))
        parser.add_argument("--json", action="store_true", help=_("as JSON, for programs"))

    def handle(self, **options: Any) -> None:
        if not options["dataset"]:
            raise CommandError(_("Give a set of questions: --dataset NAME or FOLDER."))
        if options["limit"] < 1:
            raise CommandError(_("--limit must be above zero."))
        try:
            self._calibrate(**options)
        except OSError as error:
            said = {"path": error.filename, "reason": error.strerror}
            raise CommandError(_("%(path)s cannot be written: %(reason)s.") % said) from error

    def _calibrate(self, *, dry_run: bool, report: Path | None, **options: Any) -> None:
        drawn, names = self._drawn(options)
        space = _space(options["space"])  # the first set may have made it
        reranker = options["reranker"] or preset().reranker or str(space.fusion.get("reranker", "features"))
        component("rerankers", reranker)  # one that is not there fails now; a search would do without it
        measured = {"space": space, "reranker": reranker, "n": len(drawn)}
        self.say(_("Space %(space)s, reranker %(reranker)s, questions: %(n)d") % measured)
        if not is_calibrated(space, reranker):
            self.say(_("Relevance so far is not calibrated for this space and this reranker."))
        fusion = self._fusion(drawn, space, reranker) if options["fusion"] else None
        found = self._relevance(drawn, space, reranker, names)
        if report:
            page = calibration_page(found, space=space.name, reranker=reranker, datasets=names, fusion=fusion)
            write_page(report, page)
        if not dry_run:
            store_calibration(space=space, reranker=reranker, calibration=found.calibration)
        if self.as_json:
            self.say_json(_as_json(found, fusion, space, reranker))
        kept = _("Kept in the space %(space)s.") % measured
        self.say(_("A trial: nothing was kept.") if dry_run else kept)

    def _drawn(self, options: dict[str, Any]) -> tuple[list[Drawn], list[str]]:
        """The questions of all sets, and the names of the sets; all are read first, for they lend each other theirs."""
        sets = [dataset_called(name, self) for name in options["dataset"]]
        alike = [frozenset(pair.split(",")) for pair in options["alike"]]
        drawn = draw_questions(sets, limit=options["limit"], seed=options["seed"], alike=alike)
        return drawn, [dataset.name for dataset in sets]

    def _relevance(
        self, drawn: Sequence[Drawn], space: EmbeddingSpace, reranker: str, names: Sequence[str]
    ) -> CalibrationReport:
        with self.progress_bar(_("Relevance")) as progress:
            asked = ask_questions(drawn, space=space, reranker=reranker, progress=progress)
        found = calibrate(asked, inputs=inputs_for(space, reranker))
        self.say_all(calibration_lines(found))
        after = found.after
        quality = {name: round(getattr(after, name), 4) for name in ("ece", "brier", "auc")}
        return replace(found, calibration=replace(found.calibration, fitted_on=", ".join(names), quality=quality))

    def _fusion(self, drawn: Sequence[Drawn], space: EmbeddingSpace, reranker: str) -> FusionReport:
        """Gives `space`, not stored yet, what is better: relevance is fitted on the passages that it brings up."""
        with self.progress_bar(_("Fusion")) as progress:
            legs = collect_legs(drawn, space=space, reranker=reranker, progress=progress)
        found = choose_fusion(legs, current=current_fusion(space))
        self.say_all(fusion_lines(found))
        if found.better:
            space.fusion = {**space.fusion, **asdict(found.chosen)}
        return found


def _space(name: str) -> EmbeddingSpace:
    space = EmbeddingSpace.objects.filter(name=name).first() if name else active_space()
    if space is None:
        known = ", ".join(EmbeddingSpace.objects.values_list("name", flat=True)) or _("none")
        raise CommandError(_("There is no such embedding space. Known: %(known)s.") % {"known": known})
    return space


def _as_json(
    found: CalibrationReport, fusion: FusionReport | None, space: EmbeddingSpace, reranker: str
) -> dict[str, Any]:
    return {
        "space": space.name,
        "reranker": reranker,
        "calibration": as_stored(found.calibration),
        "before": asdict(found.before),
        "after": asdict(found.after),
        "refusals_before": [asdict(row) for row in found.refusals_before],
        "refusals_after": [asdict(row) for row in found.refusals_after],
        "answerable": found.answerable,
        "unanswerable": found.unanswerable,
        "unknown": found.unknown,
        "fusion": {**asdict(fusion), "better": fusion.better} if fusion else None,
    }
