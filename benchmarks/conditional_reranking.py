"""What it costs to skip reranking, and how often it can be: the thresholds of `rag/search/reranking/conditional.py`.

    python benchmarks/conditional_reranking.py poquad dyk prawo lquad faq_ms [--preset NAME] [--limit 800]

The sets must be indexed (`manage.py evaluate --dataset FOLDER`). Each question is searched once and put into both
orders, fused and reranked, so that any threshold can be tried afterwards. Thresholds are fitted on every other question
and measured on the rest; each set counts the same. They hold for one reranker and one embedding space: measure them
anew for others, and write them into the `fusion` of your space (`skip_gap`, `skip_top`, `skip_variance`).
"""

import argparse
import math
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

import numpy as np  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from knowledgetree.conf import rag_settings  # noqa: E402
from rag.evaluation.datasets.dataset_storage import stored_questions  # noqa: E402
from rag.evaluation.datasets.questions import LabelledQuestion  # noqa: E402
from rag.evaluation.measures.ranking import score_rankings  # noqa: E402
from rag.evaluation.retrieval import RetrievalOptions, drawn  # noqa: E402
from rag.models import EvaluationDataset  # noqa: E402
from rag.presets import preset  # noqa: E402
from rag.search.reranking.conditional import lead, normalised_scores  # noqa: E402
from rag.search.reranking.exact_words_first import TypedWordsFirst  # noqa: E402
from rag.search.reranking.stage import Reranking  # noqa: E402
from rag.search.retriever import HybridRetriever  # noqa: E402
from rag.search.stages.legs import leg_weights  # noqa: E402
from rag.types import Filters, Passage  # noqa: E402

MOST_LOST = 0.5  # points of nDCG@10
MEASURE = "nDCG@10"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question: the normalised scores in fused order, and what reranking gains, in points of nDCG@10."""

    dataset: str
    scores: tuple[float, ...]
    gain: float


# Reranking is skipped where the number is at least the threshold; low variance is high minus-variance.
REASONS = {
    "gap": lead,
    "top": lambda scores: scores[0],
    "variance": lambda scores: -float(np.var(scores[:10])),
}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("datasets", nargs="+")
    parser.add_argument("--preset", default="offline")
    parser.add_argument("--limit", type=int, default=800, help="questions drawn from each set; 0: all")
    arguments = parser.parse_args()
    wanted = replace(preset(arguments.preset), rerank_when="always", rerank_seconds=60.0)
    retriever = HybridRetriever(preset=wanted, lexical=rag_settings().lexical)
    asked = [one for name in arguments.datasets for one in ask_all(retriever, name, arguments.limit)]
    fitted, checked = asked[::2], asked[1::2]
    print(f"reranking all gains {lost(asked, np.ones(len(asked), bool)):.2f} points of nDCG@10; {len(asked)} questions")
    for reason in REASONS:
        print_curve(reason, fitted, checked, arguments.datasets)


def ask_all(retriever: HybridRetriever, name: str, limit: int) -> Iterator[Asked]:
    """In the order of the questions' ids, so that the halves are the same everywhere."""
    dataset = EvaluationDataset.objects.select_related("collection").get(name=name)
    questions = {q.id: q for q in drawn(list(stored_questions(dataset)), RetrievalOptions(limit=limit))}
    orders, scores = ({}, {}), {}
    for key in sorted(questions):
        fused, reranked, scores[key] = both_orders(retriever, questions[key], dataset)
        orders[0][key], orders[1][key] = fused, reranked
    qrels = {key: question.judgements for key, question in questions.items()}
    before, after = (score_rankings(qrels, order) for order in orders)
    for key in sorted(before):
        if len(scores[key]) > 1:
            gain = 100 * (after[key][MEASURE] - before[key][MEASURE])
            yield Asked(dataset=name, scores=scores[key], gain=gain)


def both_orders(
    retriever: HybridRetriever, question: LabelledQuestion, dataset: EvaluationDataset
) -> tuple[list[str], list[str], tuple[float, ...]]:
    """Documents in fused and in reranked order, and the normalised scores in fused order."""
    search, fused = retriever.candidates(question.question, collections=[dataset.collection], filters=Filters())
    reranked = Reranking().apply(search, fused)
    if fused and not search.trace[-1].applied:
        sys.exit(search.trace[-1].reason)
    scores = tuple(normalised_scores(fused, leg_weights(search)))
    orders = (documents(TypedWordsFirst().apply(search, order)) for order in (fused, reranked))
    return *orders, scores


def documents(passages: Sequence[Passage]) -> list[str]:
    return list(dict.fromkeys(passage.uri for passage in passages))


def weights(asked: Sequence[Asked]) -> NDArray[np.float64]:
    """Of the questions, so that each set counts the same."""
    sets = [one.dataset for one in asked]
    return np.array([1 / (len(set(sets)) * sets.count(name)) for name in sets])


def lost(asked: Sequence[Asked], skipped: NDArray[np.bool_]) -> float:
    """Points of nDCG@10, the mean over sets."""
    return float(weights(asked) @ (skipped * [one.gain for one in asked]))


def print_curve(reason: str, fitted: Sequence[Asked], checked: Sequence[Asked], names: Sequence[str]) -> None:
    """Share skipped against points lost, fitted and unseen, and by set over all; last the best threshold."""
    values = np.array([REASONS[reason](one.scores) for one in fitted])
    # Of 200 steps, those before the first that loses too much: a lucky threshold further on is no better.
    steps = np.unique(np.quantile(values, np.linspace(1, 0, 201)))[::-1]
    allowed = np.cumsum([lost(fitted, values >= step) >= MOST_LOST for step in steps]) == 0
    best = [math.ceil(1000 * steps[allowed][-1]) / 1000] if allowed.any() else []
    shown = np.quantile(values, [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2])
    print(f"\n| {reason} | skipped % | lost, fitted | lost, unseen | {' | '.join(names)} |")
    print("|---:" * (4 + len(names)) + "|")
    for threshold in [*dict.fromkeys(shown), *best]:
        print_row(reason, float(threshold), fitted, checked, names)


def print_row(
    reason: str, threshold: float, fitted: Sequence[Asked], checked: Sequence[Asked], names: Sequence[str]
) -> None:
    def skipped(asked: Sequence[Asked]) -> NDArray[np.bool_]:
        return np.array([REASONS[reason](one.scores) >= threshold for one in asked])

    every = [*fitted, *checked]
    by_set = [[one for one in every if one.dataset == name] for name in names]
    share = 100 * float(weights(every) @ skipped(every))
    losses = [lost(asked, skipped(asked)) for asked in (fitted, checked, *by_set)]
    print(f"| {abs(threshold):.3f} | {share:.0f} | {' | '.join(f'{loss:+.2f}' for loss in losses)} |")


if __name__ == "__main__":
    main()
