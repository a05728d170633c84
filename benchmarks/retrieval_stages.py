"""What each stage after fusion gives: the offline preset without any of them, against the same with one switched on.

    python benchmarks/retrieval_stages.py poquad dyk prawo lquad faq_ms [--limit 300]

The sets must be indexed (`manage.py evaluate --dataset FOLDER`). Every question is searched once; then its passages go
through the stages of each variant. Milliseconds are medians of the stage's own processor time, its SQL not counted.
"""

import argparse
import os
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

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
from rag.search.context import SearchContext  # noqa: E402
from rag.search.reranking.exact_words_first import TypedWordsFirst  # noqa: E402
from rag.search.reranking.stage import Reranking  # noqa: E402
from rag.search.retriever import HybridRetriever  # noqa: E402
from rag.search.stages.deduplication import Deduplication  # noqa: E402
from rag.search.stages.neighbours import Neighbours  # noqa: E402
from rag.types import Filters, Passage  # noqa: E402
from rag.understanding.intent import classify  # noqa: E402

MEASURE = "nDCG@10"
SHOWN = 10  # passages that neighbours are added to
OFF: Mapping[str, Any] = {"alike_above": 1.0, "neighbours": 0, "boosts": {}}
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    "none of them": {},
    "alike 0.9": {"alike_above": 0.9},
    "alike 0.9, no bonus": {"alike_above": 0.9, "boosts": {"alike": 0.0}},
    "keywords 0.05": {"boosts": {"keywords": 0.05}},
    "keywords 0.15": {"boosts": {"keywords": 0.15}},
    "phrase 0.05": {"boosts": {"phrase": 0.05}},
    "phrase 0.15": {"boosts": {"phrase": 0.15}},
    "intent 0.05": {"boosts": {"intent": 0.05}},
    "intent 0.10": {"boosts": {"intent": 0.1}},
    "neighbours 1": {"neighbours": 1},
}


class Variant:
    """A preset with what it ranked and how long its stages took."""

    def __init__(self, parts: Mapping[str, Any]) -> None:
        self._preset = preset("offline", {**OFF, **parts})
        self._stages = (Deduplication(), Reranking(), Boosting(), TypedWordsFirst())
        self.rankings: dict[str, tuple[str, ...]] = {}
        self.milliseconds: list[float] = []
        self.touched = 0

    def rank(self, question: LabelledQuestion, search: SearchContext, fused: Sequence[Passage]) -> None:
        search.preset, search.trace = self._preset, []
        passages, spent = list(fused), 0.0
        for stage in self._stages:
            started = time.process_time()
            passages = stage.apply(search, passages)
            if not isinstance(stage, (Reranking, TypedWordsFirst)):
                spent += time.process_time() - started
        self.rankings[question.id] = tuple(dict.fromkeys(passage.uri for passage in passages))
        started = time.process_time()
        Neighbours().apply(search, passages[:SHOWN])
        self.milliseconds.append((spent + time.process_time() - started) * 1000)
        self.touched += any(entry.applied and entry.stage != "reranking" for entry in search.trace)


def measure(dataset: EvaluationDataset, limit: int) -> None:
    questions = drawn(list(stored_questions(dataset)), RetrievalOptions(limit=limit))
    retriever = HybridRetriever(preset=preset("offline", OFF), lexical=rag_settings().lexical)
    variants = {name: Variant(parts) for name, parts in VARIANTS.items()}
    filters = Filters(collections=(dataset.collection.slug,))
    for question in questions:
        search, fused = retriever.candidates(question.question, collections=[dataset.collection], filters=filters)
        search.intent = classify(question.question).intent
        search.words.signals(fused)
        for variant in variants.values():
            variant.rank(question, search, fused)
    report(dataset.name, questions, variants)


def report(name: str, questions: Sequence[LabelledQuestion], variants: Mapping[str, Variant]) -> None:
    judgements = {question.id: question.judgements for question in questions}
    before = score_rankings(judgements, variants["none of them"].rankings)
    print(f"{name}: {len(questions)} questions")
    for label, variant in variants.items():
        found = compare_scores(before, score_rankings(judgements, variant.rankings))
        change = next(difference for difference in found if difference.measure == MEASURE)
        print(
            f"  {label:<20} {change.after:.4f} {100 * change.change:+.2f} points  p {change.p:.3f}"
            f"  better {change.better} worse {change.worse}  touched {variant.touched}"
            f"  {median(variant.milliseconds):.2f} ms",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--limit", type=int, default=300)
    arguments = parser.parse_args()
    for name in arguments.sets:
        measure(EvaluationDataset.objects.select_related("collection").get(name=name), arguments.limit)


if __name__ == "__main__":
    main()
