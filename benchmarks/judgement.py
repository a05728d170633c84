"""Fits and checks the judge of answers by rules (`rag/answering/judgement/judgement.json`).

    python manage.py load_sample && python manage.py index FOLDER --collection NAME      # the documents asked about
    python benchmarks/judgement.py fixtures/codzienne/strojenie.jsonl FILE.jsonl ... [--write]

A line of a file is an everyday question as `rag.evaluation` reads it, or {"question", "answerable", "documents",
"contains": [[any of these], …]}. Every question is asked with the judge's thresholds at 0. Measured on folds that keep
the questions about one document together, and on each file under the weights of the others. `--write` replaces the
shipped weights.
"""

import argparse
import json
import os
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

import numpy as np  # noqa: E402
from django.utils import timezone  # noqa: E402

from ingestion.selectors import operator  # noqa: E402
from rag.answering.judgement.judge import SHIPPED  # noqa: E402
from rag.answering.judgement.parts import PARTS  # noqa: E402
from rag.evaluation.calibration.fitting import fit_calibration  # noqa: E402
from rag.evaluation.calibration.reliability import Chances, Labels, roc_auc  # noqa: E402
from rag.search.relevance.calibration import Calibration, as_stored  # noqa: E402
from rag.services.ask import answer_question  # noqa: E402

OPEN = {"least_answerable": 0.0, "certain_confidence": 0.0, "min_relevance": 0.0}
FOLDS = 8
RIDGE = 0.01


class Asked(NamedTuple):
    """`about` is the document, or the question itself where none answers it."""

    file: str
    about: str
    values: dict[str, float]
    right: bool
    answerable: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    asked = [one for file in chosen.files for one in asked_of(file)]
    chances = {target: fitted(asked, target) for target in ("right", "answerable")}
    for target in chances:
        report(asked, target)
    if chosen.write:
        said = f"{timezone.localdate()}, benchmarks/judgement.py, {len(asked)} everyday questions"
        content = {"fitted": said, "chances": {name: as_stored(found) for name, found in chances.items()}}
        SHIPPED.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def asked_of(file: Path) -> list[Asked]:
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [one for row in rows if (one := _asked(file.stem, row))]


def _asked(file: str, row: dict[str, Any]) -> Asked | None:
    """None where nothing was cited: the judge is not asked then."""
    answer = answer_question(row["question"], viewer=operator(), preset="offline", parts=OPEN, save=False, cached=False)
    parts = {part.name: part.value for part in answer.verification.confidence_parts}
    if not parts:
        return None
    groups = row.get("contains") or [[text] for text in row.get("expected_answer_contains", [])]
    said = answer.text.lower()
    right = row["answerable"] and all(any(text.lower() in said for text in group) for group in groups)
    about = next(iter(row.get("documents") or row.get("expected_documents") or [row["question"]]))
    return Asked(file, about, parts, bool(right), bool(row["answerable"]))


def fitted(asked: Sequence[Asked], target: str) -> Calibration:
    """Each question counts the same: the chance is that among questions such as these."""
    shares = np.full(len(asked), 1 / len(asked))
    return fit_calibration([one.values for one in asked], labels_of(asked, target), PARTS, shares=shares, ridge=RIDGE)


def labels_of(asked: Sequence[Asked], target: str) -> Labels:
    return np.array([getattr(one, target) for one in asked], dtype=bool)


def report(asked: Sequence[Asked], target: str) -> None:
    labels = labels_of(asked, target)
    folds = np.array([zlib.crc32(one.about.encode()) % FOLDS for one in asked])
    files = np.array([one.file for one in asked])
    for name, groups in (("folds", folds), ("files", files)):
        chances = held_out(asked, target, groups)
        print(f"{target:<11}{name:<7} AUC {roc_auc(chances, labels):.3f}  ECE {calibration_error(chances, labels):.3f}")


def held_out(asked: Sequence[Asked], target: str, groups: Any) -> Chances:
    chances = np.zeros(len(asked))
    for group in set(groups.tolist()):
        there = groups == group
        fit = fitted([one for one, out in zip(asked, there, strict=True) if not out], target)
        chances[there] = [fit.chance(one.values) for one, out in zip(asked, there, strict=True) if out]
    return chances


def calibration_error(chances: Chances, labels: Labels, bins: int = 10) -> float:
    """Over bins of equal width, every answer counting the same."""
    places = np.clip((chances * bins).astype(int), 0, bins - 1)
    each = ((places == n) for n in range(bins))
    return float(sum(abs(chances[at].sum() - labels[at].sum()) for at in each) / len(chances))


if __name__ == "__main__":
    main()
