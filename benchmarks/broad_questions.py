"""What groups of documents give to broad questions: a preset without them, against `communities` 0.1 to 0.5.

    VAR_DIR=… python manage.py migrate && python manage.py load_sample
    python manage.py evaluate --dataset fixtures/przeskoki && python manage.py communities
    python benchmarks/broad_questions.py --half tuning [--weights 0.1 0.3] [--show 0.3]

The questions are those of fixtures/przeglady. "broad": those that need several documents, the share of these among the
documents of the first ten passages; "one": those about one document, the share of its passages among the first ten.
"once": each document once first, without groups. p: paired permutation test against nothing of it, and against "once".
"""

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean, median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django
import numpy as np

django.setup()

from ingestion.models import Chunk, Collection  # noqa: E402
from knowledgetree.conf import rag_settings  # noqa: E402
from rag.evaluation.measures.significance import permutation_p  # noqa: E402
from rag.presets import preset  # noqa: E402
from rag.search.retriever import HybridRetriever  # noqa: E402
from rag.types import Filters  # noqa: E402
from rag.understanding.intent import classify  # noqa: E402

FOLDER = Path(__file__).parents[1] / "fixtures" / "przeglady"
DEPTH = 10
ONCE = 1e-9  # too little for a lift
Question = Mapping[str, Any]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=["tuning", "unseen"])
    parser.add_argument("--preset", default="offline")
    parser.add_argument("--weights", type=float, nargs="+", default=[0.1, 0.2, 0.3, 0.4, 0.5])
    parser.add_argument("--all", action="store_true", help="search every collection that there is")
    parser.add_argument("--show", type=float, help="print what questions gain and lose at this weight")
    chosen = parser.parse_args()
    lines = (FOLDER / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [row for row in map(json.loads, lines) if chosen.half in (None, row["half"])]
    runs = {
        weight: measured(asked, chosen.preset, weight, everywhere=chosen.all) for weight in (0.0, ONCE, *chosen.weights)
    }
    for kind in ("broad", "one"):
        own = [row for row in asked if kind_of(row) == kind]
        print(f"{kind}: {len(own)} questions", flush=True)
        for weight, scores in runs.items():
            bases = (0.0, ONCE) if weight > ONCE else (0.0,)
            before = [[runs[base][row["id"]][0] for row in own] for base in bases]
            report(weight, before, [scores[row["id"]] for row in own])
    if chosen.show:
        show(asked, runs[0.0], runs[chosen.show])


def kind_of(question: Question) -> str:
    return "broad" if len(question["documents"]) > 1 else "one"


def measured(
    questions: Sequence[Question], name: str, weight: float, *, everywhere: bool
) -> dict[str, tuple[float, float]]:
    """By question the share found, and the milliseconds of the stage."""
    retriever = HybridRetriever(preset=preset(name, {"communities": weight}), lexical=rag_settings().lexical)
    scores = {}
    for question in questions:
        text = question["question"]
        result = retriever.retrieve(
            text,
            collections=list(Collection.objects.all()) if everywhere else searched(question["base"]),
            filters=Filters(),
            top_k=DEPTH,
            intent=classify(text).intent,
        )
        scores[question["id"]] = share(question, [p.uri for p in result.passages]), result.latency["breadth"]
    return scores


def searched(base: str) -> list[Collection]:
    manifest = json.loads((FOLDER.parent / "urzad" / "manifest.json").read_text(encoding="utf-8"))
    sample = [described["slug"] for described in manifest["collections"]]
    return list(Collection.objects.filter(slug__in=["eval-przeskoki"] if base == "przeskoki" else sample))


def share(question: Question, found: Sequence[str]) -> float:
    wanted = set(question["documents"])
    if len(wanted) > 1:
        return len(wanted & set(found)) / min(DEPTH, len(wanted))
    passages = Chunk.objects.filter(document__uri__in=wanted, enabled=True).count()
    return sum(uri in wanted for uri in found) / min(DEPTH, passages)


def report(weight: float, before: Sequence[Sequence[float]], after: Sequence[tuple[float, float]]) -> None:
    shares = [score for score, _ in after]
    named = "none" if not weight else "once" if weight == ONCE else f"{weight:.2f}"
    told = [compared(shares, old) for old in before]
    print(f"  {named:<5} {mean(shares):.3f}  {'; over once '.join(told)}  p50 {median(ms for _, ms in after):.1f} ms")


def compared(shares: Sequence[float], before: Sequence[float]) -> str:
    change = np.round(np.array(shares) - np.array(before), 9)
    better, worse = int((change > 0).sum()), int((change < 0).sum())
    return f"{100 * change.mean():+.1f} points, p {permutation_p(change):.4f}, better {better} worse {worse}"


def show(questions: Sequence[Question], before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    for question in questions:
        old, new = before[question["id"]][0], after[question["id"]][0]
        if old != new:
            print(f"    {old:.2f} -> {new:.2f}  {question['question']}")


if __name__ == "__main__":
    main()
