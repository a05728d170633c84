"""Whether what the sources do not answer is refused, and whether confidence knows.

    python benchmarks/refusals.py FOLDER_OF_SETS [--limit 408]

FOLDER_OF_SETS has `poquad` (with queries_unanswerable.jsonl) and `dyk`. They must be indexed (`manage.py evaluate
--dataset FOLDER`), the sample too (`load_sample`), and a foreign collection with `manage.py index FOLDER --collection
ksef`. Prints

- of poquad's unanswerable questions and as many answerable ones: the ROC AUC of the answer's confidence, of each part
  of it and of the best passage's relevance (0.5: they tell nothing), and how many are refused;
- how many of dyk's questions, asked of the foreign collection, are refused;
- how many of the sample's questions with an answer, and of those without.
"""

import argparse
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

import numpy as np  # noqa: E402
from django.conf import settings  # noqa: E402
from django.contrib.auth.models import AnonymousUser  # noqa: E402

from ingestion.models import Collection  # noqa: E402
from ingestion.selectors import operator  # noqa: E402
from rag.evaluation.calibration.reliability import roc_auc  # noqa: E402
from rag.evaluation.datasets.beir import read_folder  # noqa: E402
from rag.evaluation.datasets.questions import LabelledQuestion, read_lines, read_questions, sampled  # noqa: E402
from rag.services.ask import answer_question  # noqa: E402
from rag.types import Answer, Filters  # noqa: E402

SAMPLE = settings.BASE_DIR / "fixtures/urzad/questions.jsonl"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", type=Path)
    parser.add_argument("--foreign", default="ksef", help="the collection that dyk's questions are asked of")
    parser.add_argument("--preset", default="offline")
    parser.add_argument("--limit", type=int, default=408, help="poquad's questions of either kind")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    unanswerable(chosen.sets / "poquad", chosen.preset, limit=chosen.limit, seed=chosen.seed)
    foreign = answers(read_folder(chosen.sets / "dyk"), chosen.preset, chosen.foreign)
    print(f"dyk asked of {chosen.foreign}: refused {refused(foreign)} of {len(foreign)}")
    questions = list(read_questions(SAMPLE))
    for answerable, said in ((True, "with"), (False, "without")):
        asked = answers([question for question in questions if question.answerable is answerable], chosen.preset)
        print(f"sample, {said} an answer: refused {refused(asked)} of {len(asked)}")


def unanswerable(folder: Path, preset: str, *, limit: int, seed: int) -> None:
    impossible = [
        LabelledQuestion(id=values["id"], question=values["text"], answerable=False)
        for _, values in read_lines(folder / "queries_unanswerable.jsonl")
    ]
    without = answers(sampled(impossible, limit=limit, seed=seed), preset, "eval-poquad")
    own = answers(sampled(read_folder(folder), limit=len(without), seed=seed), preset, "eval-poquad")
    print(f"poquad, with an answer: refused {refused(own)} of {len(own)}")
    print(f"poquad, without an answer: refused {refused(without)} of {len(without)}")
    parts = [part.name for answer in own for part in answer.verification.confidence_parts]
    print_auc("confidence", own, without, lambda answer: answer.confidence)
    print_auc("best relevance", own, without, best_relevance)
    for name in dict.fromkeys(parts):
        print_auc(f"  {name}", own, without, lambda answer, name=name: part_of(answer, name))  # type: ignore[misc]


def answers(questions: Iterable[LabelledQuestion], preset: str, collection: str = "") -> list[Answer]:
    """As an operator in `collection`, else as anyone in what everyone may read."""
    narrowed = Filters(collections=(Collection.objects.get(slug=collection).slug,)) if collection else Filters()
    viewer = operator() if collection else AnonymousUser()
    return [
        answer_question(question.question, viewer=viewer, preset=preset, filters=narrowed, save=False, cached=False)
        for question in questions
    ]


def refused(given: Sequence[Answer]) -> int:
    return sum(answer.outcome == "not_found" for answer in given)


def best_relevance(answer: Answer) -> float:
    return max((passage.relevance for passage in answer.passages), default=0.0)


def part_of(answer: Answer, name: str) -> float:
    return next((part.value for part in answer.verification.confidence_parts if part.name == name), 0.0)


def print_auc(name: str, own: Sequence[Answer], without: Sequence[Answer], value: Callable[[Answer], float]) -> None:
    values = np.array([value(answer) for answer in (*own, *without)])
    labels = np.array([True] * len(own) + [False] * len(without))
    answered = np.array([answer.outcome == "answered" for answer in (*own, *without)])
    among = roc_auc(values[answered], labels[answered])
    print(f"ROC AUC of {name}: {roc_auc(values, labels):.3f}; among those answered: {among:.3f}")


if __name__ == "__main__":
    main()
