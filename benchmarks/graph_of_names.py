"""What the graph of names gives: a preset without it, against the same with `graph_weight` 0.1 to 0.4.

    python benchmarks/graph_of_names.py poquad dyk prawo lquad faq_ms [--limit 300] [--weights 0.1 0.2]
    python benchmarks/graph_of_names.py przeskoki --folder fixtures/przeskoki --half tuning --weights 0.1 0.2 0.3 0.4

The sets must be indexed (`manage.py evaluate --dataset FOLDER`). "fused": the order of the fusion, before any stage;
"ranked": after the stages of the preset `offline`, reranking included. "all@k": the share of questions with every one
of their documents among the first k. p: paired permutation test against weight 0, of nDCG@10.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean, median
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from knowledgetree.conf import rag_settings  # noqa: E402
from rag.evaluation.datasets.dataset_storage import stored_questions  # noqa: E402
from rag.evaluation.datasets.questions import LabelledQuestion  # noqa: E402
from rag.evaluation.measures.ranking import score_rankings  # noqa: E402
from rag.evaluation.measures.significance import compare_scores  # noqa: E402
from rag.evaluation.retrieval import RetrievalOptions, drawn  # noqa: E402
from rag.models import EvaluationDataset  # noqa: E402
from rag.presets import preset  # noqa: E402
from rag.search.boosts.stage import Boosting  # noqa: E402
from rag.search.reranking.exact_words_first import TypedWordsFirst  # noqa: E402
from rag.search.reranking.stage import Reranking  # noqa: E402
from rag.search.retriever import HybridRetriever  # noqa: E402
from rag.search.stages.deduplication import Deduplication  # noqa: E402
from rag.types import Filters, Passage  # noqa: E402

MEASURE = "nDCG@10"
STAGES = (Deduplication(), Reranking(), Boosting(), TypedWordsFirst())
Rankings = dict[str, tuple[str, ...]]


class Measured(NamedTuple):
    """Rankings of documents before and after the stages, milliseconds of the leg, and how often it found something."""

    fused: Rankings
    ranked: Rankings
    leg: list[float]
    found: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--weights", type=float, nargs="+", default=[0.1, 0.2])
    parser.add_argument("--lift", type=float, default=0.0, help="the boost `linked`, which acts after the reranking")
    parser.add_argument("--folder", type=Path, help="of the set's queries.jsonl, which says the half of each question")
    parser.add_argument("--half", help="only the questions of this half")
    parser.add_argument("--show", type=float, help="print the questions that do not have all at this weight")
    chosen = parser.parse_args()
    for name in chosen.sets:
        dataset = EvaluationDataset.objects.select_related("collection").get(name=name)
        asked = drawn(list(of_half(dataset, chosen.folder, chosen.half)), RetrievalOptions(limit=chosen.limit))
        runs = {weight: measured(dataset, asked, weight, chosen.lift) for weight in (0.0, *chosen.weights)}
        print(f"{name}{' ' + chosen.half if chosen.half else ''}: {len(asked)} questions", flush=True)
        for order in ("fused", "ranked"):
            report(order, asked, {weight: getattr(run, order) for weight, run in runs.items()})
        last = runs[chosen.weights[-1]]
        print(f"  the leg found something for {last.found} questions, p50 {median(last.leg):.1f} ms", flush=True)
        if chosen.show is not None:
            show(asked, runs[chosen.show].fused)


def of_half(dataset: EvaluationDataset, folder: Path | None, half: str | None) -> Iterator[LabelledQuestion]:
    lines = (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines() if folder else []
    halves = {row["id"]: row["half"] for row in map(json.loads, lines)}
    return (question for question in stored_questions(dataset) if not half or halves[question.id] == half)


def measured(dataset: EvaluationDataset, questions: Sequence[LabelledQuestion], weight: float, lift: float) -> Measured:
    assert dataset.collection is not None, "index the set first"
    parts = {"graph_weight": weight, "boosts": {"linked": lift if weight else 0.0}}
    retriever = HybridRetriever(preset=preset("offline", parts), lexical=rag_settings().lexical)
    filters = Filters(collections=(dataset.collection.slug,))
    run = Measured({}, {}, [], 0)
    for question in questions:
        started = time.perf_counter()
        search, passages = retriever.candidates(question.question, collections=[dataset.collection], filters=filters)
        run.leg.append(search.clock.laps.get("graph", (time.perf_counter() - started) * 1000))
        run.fused[question.id] = documents(passages)
        for stage in STAGES:
            passages = stage.apply(search, passages)
        run.ranked[question.id] = documents(passages)
        run = run._replace(found=run.found + any(p.explanation.graph_rank for p in passages))
    return run


def documents(passages: Sequence[Passage]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(passage.uri for passage in passages))


def report(order: str, questions: Sequence[LabelledQuestion], runs: Mapping[float, Rankings]) -> None:
    judgements = {question.id: question.judgements for question in questions}
    before = score_rankings(judgements, runs[0.0])
    for weight, rankings in runs.items():
        found = compare_scores(before, score_rankings(judgements, rankings))
        change = next(difference for difference in found if difference.measure == MEASURE)
        shares = [recall(questions, rankings, 10), *(with_all(questions, rankings, depth) for depth in (5, 10))]
        print(
            f"  {order:<7} {weight:.2f}  nDCG@10 {change.after:.4f} {100 * change.change:+.2f} points p {change.p:.4f}"
            f"  better {change.better} worse {change.worse}"
            f"  recall@10 {shares[0]:.3f} all@5 {shares[1]:.3f} all@10 {shares[2]:.3f}",
            flush=True,
        )


def recall(questions: Sequence[LabelledQuestion], rankings: Rankings, depth: int) -> float:
    shares = (len({*q.judgements} & {*rankings[q.id][:depth]}) / len(q.judgements) for q in questions)
    return mean(shares)


def with_all(questions: Sequence[LabelledQuestion], rankings: Rankings, depth: int) -> float:
    return mean({*q.judgements} <= {*rankings[q.id][:depth]} for q in questions)


def show(questions: Sequence[LabelledQuestion], rankings: Rankings) -> None:
    for question in questions:
        places = {
            uri: rankings[question.id].index(uri) + 1 if uri in rankings[question.id] else 0
            for uri in question.judgements
        }
        if not all(0 < place <= 5 for place in places.values()):
            print("   ", question.question, places)


if __name__ == "__main__":
    main()
