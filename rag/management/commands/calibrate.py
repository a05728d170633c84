import json
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from ingestion.models import EmbeddingSpace
from ingestion.selectors import active_space
from knowledgetree.components import component
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.management.commands._progress_bar import progress_bar
from rag.evaluation.calibration.fitting import CalibrationReport, calibrate, inputs_for
from rag.evaluation.calibration.fusion import FusionReport, choose_fusion, current_fusion
from rag.evaluation.calibration.legs import collect_legs
from rag.evaluation.calibration.page import calibration_page
from rag.evaluation.ranked_questions import Drawn, ask_questions, draw_questions
from rag.management.commands._calibration_output import calibration_lines, fusion_lines
from rag.management.commands._dataset_argument import dataset_called
from rag.presets import preset
from rag.search.relevance.calibration import as_stored, is_calibrated
from rag.services.calibration import store_calibration


class Command(BaseCommand):
    help = "Fit relevance, and on request fusion, of an embedding space on labelled questions; say how far to trust it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--dataset", action="append", default=[], help="a BEIR folder, a file of questions or a name"
        )
        parser.add_argument("--space", default="", help="its name; the active one where not given")
        parser.add_argument("--reranker", default="", help="that of the preset and the space where not given")
        parser.add_argument(
            "--limit", type=int, default=300, help="answerable questions of each set, and as many others"
        )
        parser.add_argument("--seed", type=int, default=0)
        parser.add_argument(
            "--alike", action="append", default=[], metavar="A,B", help="sets not to be asked of each other"
        )
        parser.add_argument("--fusion", action="store_true", help="also choose how vectors and words are joined")
        parser.add_argument("--dry-run", action="store_true", help="measure, change nothing")
        parser.add_argument("--report", type=Path, metavar="FILE.html")
        parser.add_argument("--json", action="store_true")

    def handle(self, **options: Any) -> None:
        self._json, self._quiet = options["json"], options["verbosity"] == 0
        if not options["dataset"]:
            raise CommandError("Podaj zbiór pytań: --dataset NAZWA albo FOLDER.")
        if options["limit"] < 1:
            raise CommandError("--limit musi być liczbą dodatnią.")
        try:
            self._calibrate(**options)
        except (KnowledgeTreeError, ImproperlyConfigured) as error:
            remedy = getattr(error, "remedy", "")
            raise CommandError(f"{error} {remedy}".strip()) from error
        except OSError as error:
            raise CommandError(f"Nie można zapisać {error.filename}: {error.strerror}.") from error

    def _calibrate(self, *, dry_run: bool, report: Path | None, **options: Any) -> None:
        drawn, names = self._drawn(options)
        space = _space(options["space"])  # the first set may have made it
        reranker = options["reranker"] or preset().reranker or str(space.fusion.get("reranker", "features"))
        component("rerankers", reranker)  # one that is not there fails now; a search would do without it
        self._write(f"Przestrzeń {space}, reranker {reranker}, pytania: {len(drawn)}")
        if not is_calibrated(space, reranker):
            self._write("Dotychczasowa trafność nie jest skalibrowana dla tej przestrzeni i tego rerankera.")
        fusion = self._fusion(drawn, space, reranker) if options["fusion"] else None
        found = self._relevance(drawn, space, reranker, names)
        if report:
            page = calibration_page(found, space=space.name, reranker=reranker, datasets=names, fusion=fusion)
            report.write_text(page, encoding="utf-8")
        if not dry_run:
            store_calibration(space=space, reranker=reranker, calibration=found.calibration)
        if self._json:
            self.stdout.write(_as_json(found, fusion, space, reranker))
        self._write("Próba: nic nie zapisano." if dry_run else f"Zapisano w przestrzeni {space}.")

    def _drawn(self, options: dict[str, Any]) -> tuple[list[Drawn], list[str]]:
        """The questions of all sets, and the names of the sets; all are read first, for they lend each other theirs."""
        sets = [dataset_called(name, quiet=self._quiet, say=self._write) for name in options["dataset"]]
        alike = [frozenset(pair.split(",")) for pair in options["alike"]]
        drawn = draw_questions(sets, limit=options["limit"], seed=options["seed"], alike=alike)
        return drawn, [dataset.name for dataset in sets]

    def _relevance(
        self, drawn: Sequence[Drawn], space: EmbeddingSpace, reranker: str, names: Sequence[str]
    ) -> CalibrationReport:
        with progress_bar("Trafność", quiet=self._quiet) as progress:
            asked = ask_questions(drawn, space=space, reranker=reranker, progress=progress)
        found = calibrate(asked, inputs=inputs_for(space, reranker))
        self._write_all(calibration_lines(found))
        after = found.after
        quality = {name: round(getattr(after, name), 4) for name in ("ece", "brier", "auc")}
        return replace(found, calibration=replace(found.calibration, fitted_on=", ".join(names), quality=quality))

    def _fusion(self, drawn: Sequence[Drawn], space: EmbeddingSpace, reranker: str) -> FusionReport:
        """Gives `space`, not stored yet, what is better: relevance is fitted on the passages that it brings up."""
        with progress_bar("Łączenie", quiet=self._quiet) as progress:
            legs = collect_legs(drawn, space=space, reranker=reranker, progress=progress)
        found = choose_fusion(legs, current=current_fusion(space))
        self._write_all(fusion_lines(found))
        if found.better:
            space.fusion = {**space.fusion, **asdict(found.chosen)}
        return found

    def _write(self, line: str) -> None:
        if not self._json:
            self.stdout.write(line)

    def _write_all(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._write(line)


def _space(name: str) -> EmbeddingSpace:
    space = EmbeddingSpace.objects.filter(name=name).first() if name else active_space()
    if space is None:
        known = ", ".join(EmbeddingSpace.objects.values_list("name", flat=True)) or "żadna"
        raise CommandError(f"Nie ma takiej przestrzeni wektorowej. Znane: {known}.")
    return space


def _as_json(found: CalibrationReport, fusion: FusionReport | None, space: EmbeddingSpace, reranker: str) -> str:
    content = {
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
    return json.dumps(content, ensure_ascii=False, indent=2)
