"""Fits and checks the judge of answers by rules (`rag/answering/judgement/judgement.json`).

    python manage.py load_sample && python manage.py index FOLDER --collection NAME      # the documents asked about
    python benchmarks/judgement.py fixtures/codzienne/strojenie.jsonl FILE ... --keep KEPT
    python benchmarks/judgement.py --kept KEPT --kept KEPT_IN_ANOTHER_KNOWLEDGE_BASE [--write]
    python benchmarks/judgement.py fixtures/codzienne/strojenie.jsonl FILE ... --level 0.62 [--write]

A file has everyday questions, as `manage.py evaluate` reads them; FILE@COLLECTION,... asks these collections alone
(`small_collections.py` makes small ones, `far_questions.jsonl` is about none). With `--foreign` the collections are
others than the questions are about, so none is answered there; with `--far` near misses are left out, which documents
of others may answer. A folder is an institution (`benchmarks/institutions`), or a copy of one in which some answers are
taken out (`taken_out.py`), whose documents are the collection of its name, and which the cross-encoder must not have
learnt from; one in `--each` of its questions is asked, none that was written as a near miss. Every question is asked
with the judge's thresholds all but 0, so what is disqualified is left out; `--keep` writes what the judge saw, and
`--kept` fits on it without asking again, together with the files that are asked, if any. That the passages answer is
fitted on all questions, that an answer is right on those that are then given one. Measured on folds that keep the
questions about one document together, and on each file under the weights of the others. `--level` keeps the shipped
weights and asks with the preset's thresholds: afterwards the mean confidence of the answers is this share, as a new
rule of refusal needs it (Saerens et al. 2002); of questions that nothing was fitted on five points less are right.
`--write` replaces what is shipped, which is made no other way.
"""

import argparse
import json
import os
import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

import numpy as np  # noqa: E402
from django.utils import timezone  # noqa: E402

from ingestion.selectors import operator  # noqa: E402
from rag.answering.judgement.judge import SHIPPED, shipped  # noqa: E402
from rag.answering.judgement.parts import PARTS  # noqa: E402
from rag.evaluation.answers.wording import contains  # noqa: E402
from rag.evaluation.calibration.fitting import fit_calibration  # noqa: E402
from rag.evaluation.calibration.reliability import Chances, Labels, roc_auc  # noqa: E402
from rag.evaluation.datasets.questions import ALTERNATIVE, LabelledQuestion, read_questions  # noqa: E402
from rag.presets import Preset  # noqa: E402
from rag.search.relevance.calibration import Calibration, as_stored  # noqa: E402
from rag.services.ask import answer_question  # noqa: E402
from rag.types import Filters  # noqa: E402

OPEN = {"least_answerable": 1e-6, "certain_confidence": 0.0, "min_relevance": 0.0}
INSTITUTIONS = "institutions"
FAR = ("far", "daleka")
FOLDS = 8
RIDGE = 0.05


class Asked(NamedTuple):
    """`about` is the document, or the question itself where none answers it."""

    file: str
    about: str
    values: dict[str, float]
    right: bool
    answerable: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--foreign", action="store_true", help="no question is answered where it is asked")
    parser.add_argument("--far", action="store_true", help="of those that nothing answers, far ones alone")
    parser.add_argument("--each", type=int, default=1, help="so many questions of a folder, of which one is asked")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--kept", type=Path, action="append", default=[])
    parser.add_argument("--level", type=float, metavar="SHARE", help="of answers that are right; moves nothing else")
    parser.add_argument("--write", action="store_true")
    chosen = parser.parse_args()
    if not chosen.files and not chosen.kept:
        parser.error("nothing to fit on: name files to ask, or what was kept of asking them")
    parts = {} if chosen.level else OPEN
    ask = partial(asked_of, foreign=chosen.foreign, far=chosen.far, parts=parts, each=chosen.each)
    asked = [one for file in chosen.files for one in ask(file)]
    if chosen.keep:
        chosen.keep.write_text(json.dumps(asked, ensure_ascii=False), encoding="utf-8")
        return
    for kept in chosen.kept:
        asked += [Asked(*one) for one in json.loads(kept.read_text(encoding="utf-8"))]
    if chosen.level:
        write({**shipped(), "right": levelled(shipped()["right"], asked, chosen.level)}, chosen.write)
        return
    there = fitted(asked, "answerable")
    given = [one for one in asked if there.chance(one.values) >= Preset(name="offline").least_answerable]
    chances = {"right": told(fitted(given, "right"), given, "right"), "answerable": told(there, asked, "answerable")}
    write(chances, chosen.write)


def write(chances: Mapping[str, Calibration], wanted: bool) -> None:
    if wanted:
        said = f"{timezone.localdate()}, benchmarks/judgement.py"
        content = {"fitted": said, "chances": {name: as_stored(found) for name, found in chances.items()}}
        SHIPPED.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def levelled(found: Calibration, asked: Sequence[Asked], share: float) -> Calibration:
    """With the bias by which the mean chance is `share`."""
    low, high = found.bias - 3, found.bias + 3
    while high - low > 1 / 10_000:
        middle = (low + high) / 2
        mean = np.mean([replace(found, bias=middle).chance(one.values) for one in asked])
        low, high = (middle, high) if mean < share else (low, middle)
    moved = replace(found, bias=round(low, 4))
    right, chances = labels_of(asked, "right"), np.array([moved.chance(one.values) for one in asked])
    print(f"{len(asked)} answers, {right.mean():.3f} right: bias {found.bias} -> {moved.bias}, ", end="")
    print(f"AUC {roc_auc(chances, right):.3f}  ECE {calibration_error(chances, right):.3f}")
    return moved


def asked_of(file: str, *, foreign: bool, far: bool, parts: Mapping[str, float], each: int) -> Iterator[Asked]:
    """Without those for which nothing was cited: the judge is not asked then."""
    name, _, collections = file.partition("@")
    questions: Iterable[LabelledQuestion] = read_questions(Path(name))
    if Path(name).is_dir():
        collections, questions = Path(name).name, questions_of_institution(Path(name))[::each]
    filters = Filters(collections=tuple(filter(None, collections.split(","))))
    for question in questions:
        if far and not question.answerable and question.kind not in FAR:
            continue
        text = question.question
        answer = answer_question(
            text, viewer=operator(), preset="offline", parts=parts, save=False, cached=False, filters=filters
        )
        if values := {part.name: part.value for part in answer.verification.confidence_parts}:
            answerable = question.answerable and not foreign
            right = answerable and all(contains(answer.text, said) for said in question.expected_answer_contains)
            source = INSTITUTIONS if Path(name).is_dir() else Path(name).stem
            yield Asked(source, next(iter(question.expected_documents), text), values, right, answerable)


def questions_of_institution(folder: Path) -> list[LabelledQuestion]:
    """Without the near misses that were written as such."""
    rows = map(json.loads, (folder / "pytania.jsonl").read_text(encoding="utf-8").splitlines())
    return [
        LabelledQuestion(
            id=f"{folder.name}-{number}",
            question=row["q"],
            answerable="e" in row,
            expected_documents=(row["d"],),
            expected_answer_contains=tuple(ALTERNATIVE.join(group) for group in row["c"]),
        )
        for number, row in enumerate(rows)
        if "e" in row or row["k"] == "taken_out"
    ]


def fitted(asked: Sequence[Asked], target: str) -> Calibration:
    """Each question counts the same, and those of institutions together as much as all others."""
    invented = np.array([one.file == INSTITUTIONS for one in asked])
    shares = np.where(invented, 1 / max(1, invented.sum()), 1 / max(1, (~invented).sum()))
    shares /= shares.sum()
    return fit_calibration([one.values for one in asked], labels_of(asked, target), PARTS, shares=shares, ridge=RIDGE)


def labels_of(asked: Sequence[Asked], target: str) -> Labels:
    return np.array([getattr(one, target) for one in asked], dtype=bool)


def told(found: Calibration, asked: Sequence[Asked], target: str) -> Calibration:
    """With the questions it was fitted on, and how it does on those of other documents, which is printed."""
    labels = labels_of(asked, target)
    folds = np.array([zlib.crc32(one.about.encode()) % FOLDS for one in asked])
    files = np.array([one.file for one in asked])
    for name, groups in (("files", files), ("folds", folds)):
        chances = held_out(asked, target, groups)
        quality = {"auc": round(roc_auc(chances, labels), 4), "ece": round(calibration_error(chances, labels), 4)}
        print(f"{target:<11}{name:<7} AUC {quality['auc']:.3f}  ECE {quality['ece']:.3f}")
    return replace(found, fitted_on=f"everyday questions: {', '.join(sorted(set(files)))}", quality=quality)


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
