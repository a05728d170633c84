"""What small-to-big gives: vectors of single sentences that lead to their chunk, switched off and on in one space.

    python benchmarks/sentence_vectors.py poquad dyk prawo lquad faq_ms [--limit 300] [--gold FOLDER_OF_POQUAD]

The sets must be indexed (`manage.py evaluate --dataset FOLDER`). The first run makes a space `hashing-sentences` and
fills it, without an index: vectors are compared exactly. The embedder is `hashing`, which compares words and letters
and no meanings: nothing here says what sentences gain with a neural model. "fused": the order of the fusion with the
space's dense weight (0.15) or 0.4; "ranked": after the reranker `features`. "dense": the vectors with weight 1, below
them what only words find. With `--gold` also how often the nearest part is the sentence in which the answer stands.
"""

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from ingestion.embedding.hashing import HashingEmbedder  # noqa: E402
from ingestion.index.spaces import space_fields  # noqa: E402
from ingestion.models import Chunk, ChunkEmbedding, EmbeddingSpace  # noqa: E402
from ingestion.renewal.reembedding.filling import fill_batch  # noqa: E402
from ingestion.text.sentences import sentence_spans  # noqa: E402
from knowledgetree.conf import rag_settings  # noqa: E402
from rag.evaluation.datasets.dataset_storage import stored_questions  # noqa: E402
from rag.evaluation.datasets.questions import LabelledQuestion  # noqa: E402
from rag.evaluation.measures.ranking import score_rankings  # noqa: E402
from rag.evaluation.measures.significance import compare_scores  # noqa: E402
from rag.evaluation.retrieval import RetrievalOptions, drawn  # noqa: E402
from rag.models import EvaluationDataset  # noqa: E402
from rag.presets import preset  # noqa: E402
from rag.search.reranking.stage import Reranking  # noqa: E402
from rag.search.retriever import HybridRetriever  # noqa: E402
from rag.types import Filters, Passage  # noqa: E402

NAME = "hashing-sentences"
MEASURE = "nDCG@10"
WEIGHTS = {"0.15": {}, "0.40": {"dense_weight": 0.4}, "dense": {"dense_weight": 1.0}}
Rankings = dict[str, tuple[str, ...]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+")
    parser.add_argument("--limit", type=int, default=300)
    parser.add_argument("--gold", type=Path, help="the set's folder, whose answers.jsonl has places in the texts")
    chosen = parser.parse_args()
    datasets = [EvaluationDataset.objects.select_related("collection").get(name=name) for name in chosen.sets]
    space = filled([dataset.collection_id for dataset in datasets if dataset.collection_id])
    for dataset in datasets:
        asked = drawn(list(stored_questions(dataset)), RetrievalOptions(limit=chosen.limit))
        print(f"{dataset.name}: {len(asked)} questions", flush=True)
        for label, parts in WEIGHTS.items():
            compare(dataset, asked, space, label, parts)
        if chosen.gold and chosen.gold.name == dataset.name:
            gold(dataset, asked, space, chosen.gold)


def filled(collections: Sequence[int]) -> EmbeddingSpace:
    built = HashingEmbedder()
    space, _made = EmbeddingSpace.objects.get_or_create(
        name=NAME, defaults={"sentence_vectors": True, **space_fields("hashing", built)}
    )
    lacking = Chunk.objects.filter(collection__in=collections).exclude(
        pk__in=ChunkEmbedding.objects.filter(space=space).values("chunk")
    )
    keys = list(lacking.order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(keys), 500):
        fill_batch(space, keys[start : start + 500])
    print(f"{ChunkEmbedding.objects.filter(space=space).count()} vectors in {space.name}", flush=True)
    return space


def compare(
    dataset: EvaluationDataset,
    questions: Sequence[LabelledQuestion],
    space: EmbeddingSpace,
    label: str,
    parts: Mapping[str, Any],
) -> None:
    """One line for each order: with sentences against without."""
    off, on = (ranked(dataset, questions, space, {**parts, "sentences": wanted}) for wanted in (False, True))
    judgements = {question.id: question.judgements for question in questions}
    for order, before, after in zip(("fused", "ranked"), off, on, strict=True):
        if label == "dense" and order == "ranked":
            continue
        found = compare_scores(score_rankings(judgements, before), score_rankings(judgements, after))
        change = next(difference for difference in found if difference.measure == MEASURE)
        print(
            f"  {label} {order:<7} nDCG@10 {change.before:.4f} → {change.after:.4f} {100 * change.change:+.2f} points"
            f"  p {change.p:.4f}  better {change.better} worse {change.worse}",
            flush=True,
        )


def ranked(
    dataset: EvaluationDataset, questions: Sequence[LabelledQuestion], space: EmbeddingSpace, parts: Mapping[str, Any]
) -> tuple[Rankings, Rankings]:
    fused: Rankings = {}
    reranked: Rankings = {}
    for question in questions:
        search, passages = candidates(dataset, question, space, parts)
        fused[question.id] = tuple(dict.fromkeys(passage.uri for passage in passages))
        reranked[question.id] = tuple(dict.fromkeys(p.uri for p in Reranking().apply(search, passages)))
    return fused, reranked


def candidates(
    dataset: EvaluationDataset, question: LabelledQuestion, space: EmbeddingSpace, parts: Mapping[str, Any]
) -> tuple[Any, list[Passage]]:
    assert dataset.collection is not None, "index the set first"
    retriever = HybridRetriever(preset=preset("offline", parts), lexical=rag_settings().lexical, space=space)
    filters = Filters(collections=(dataset.collection.slug,))
    return retriever.candidates(question.question, collections=[dataset.collection], filters=filters)


def gold(
    dataset: EvaluationDataset, questions: Sequence[LabelledQuestion], space: EmbeddingSpace, folder: Path
) -> None:
    """Of the questions whose right chunk the vectors find: whether the part that was nearest holds the answer."""
    lines = (folder / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    answers = {row["id"]: (row["doc_id"], row["answers"][0]) for row in map(json.loads, lines) if row["answers"]}
    counted = dict.fromkeys(("found", "of several sentences", "whole nearest", "right", "first", "by chance"), 0.0)
    for question in questions:
        document, answer = answers[question.id]
        _, passages = candidates(dataset, question, space, {"dense_weight": 1.0, "sentences": True})
        passage = next((p for p in passages if p.uri == document and inside(p, answer) is not None), None)
        if passage is not None and passage.explanation.dense_rank is not None:  # else its words alone found it
            count(counted, passage, sentence_of(passage, answer))
    print("  gold:", {name: round(value, 1) for name, value in counted.items()}, flush=True)


def inside(passage: Passage, answer: Mapping[str, Any]) -> int | None:
    """Where the answer begins in the passage; None where it stands elsewhere."""
    place = int(answer["answer_start"]) - passage.start
    return place if passage.text[max(place, 0) :].startswith(answer["text"].strip()[:20]) else None


def sentence_of(passage: Passage, answer: Mapping[str, Any]) -> int:
    place = inside(passage, answer) or 0
    spans = sentence_spans(passage.text)
    return next((number for number, (start, end) in enumerate(spans, start=1) if start <= place < end), 0)


def count(counted: dict[str, float], passage: Passage, right: int) -> None:
    sentences, part = len(sentence_spans(passage.text)), passage.explanation.sentence
    counted["found"] += 1
    if sentences > 1:
        counted["of several sentences"] += 1
        counted["whole nearest"] += part == 0
        counted["right"] += part == right
        counted["first"] += right == 1
        counted["by chance"] += 1 / sentences


if __name__ == "__main__":
    main()
