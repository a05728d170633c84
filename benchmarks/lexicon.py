"""What the lexicon of everyday words gives: its weights learnt, its coverage, its false friends, its time.

    python benchmarks/lexicon.py weights QUESTIONS.jsonl ... [--retrieval 0.3,0.8] [--order 0.4,0.6]
    python benchmarks/lexicon.py coverage QUESTIONS.jsonl ...
    python benchmarks/lexicon.py sets poquad dyk prawo lquad faq_ms [--limit 150]

A row of QUESTIONS is {question, answerable, documents or expected_documents, evidence}. All collections are searched
with the preset `offline`. `weights`: the weight in the search by words and what a word is worth in the order of
passages, both against 1 of a typed word; hit@k counts passages. `coverage`: of words that the evidence of a question
lacks, how many the lexicon turns into words that it has. `sets` are stored question sets (`manage.py evaluate --dataset
FOLDER`): their nDCG@10 without the lexicon and with it, and how many questions it changed.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from statistics import mean, median
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from ingestion.models import Collection  # noqa: E402
from ingestion.services.lexicon.upgrade import WEIGHT  # noqa: E402
from ingestion.text.analyser import analyser  # noqa: E402
from knowledgetree.conf import rag_settings  # noqa: E402
from rag.evaluation.datasets.dataset_storage import stored_questions  # noqa: E402
from rag.evaluation.measures.ranking import score_rankings  # noqa: E402
from rag.evaluation.retrieval import RetrievalOptions, drawn  # noqa: E402
from rag.models import EvaluationDataset  # noqa: E402
from rag.presets import preset  # noqa: E402
from rag.search import passage_words  # noqa: E402
from rag.search.query import expanded_query  # noqa: E402
from rag.search.query.analysis import AnalysedQuery  # noqa: E402
from rag.search.query.expansion import Expansion  # noqa: E402
from rag.search.retriever import HybridRetriever  # noqa: E402
from rag.types import Filters, Passage  # noqa: E402

MEASURE = "nDCG@10"
Row = dict[str, Any]


@contextmanager
def weighed(weight: float, order: float) -> Iterator[None]:
    """The lexicon with these weights; 0: without it."""
    expand, worth = expanded_query.expand, passage_words.WORTH["lexicon"]

    def expand_so(query: AnalysedQuery, **options: Any) -> tuple[Expansion, ...]:
        everything = expand(query, **options)
        weighed = (replace(one, weight=weight) if one.source == "lexicon" else one for one in everything)
        return tuple(one for one in weighed if one.weight > 0)

    expanded_query.expand = expand_so  # type: ignore[assignment]
    passage_words.WORTH["lexicon"] = order / (weight or 1.0)
    try:
        yield
    finally:
        expanded_query.expand, passage_words.WORTH["lexicon"] = expand, worth


def found(question: str, collections: Sequence[Collection], top_k: int = 10) -> tuple[Passage, ...]:
    retriever = HybridRetriever(preset=preset("offline"), lexical=rag_settings().lexical)
    filters = Filters(collections=tuple(collection.slug for collection in collections))
    return retriever.retrieve(question, collections=collections, filters=filters, top_k=top_k).passages


def rows_of(path: str) -> list[Row]:
    rows = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if row["answerable"]]


def wanted(row: Row) -> list[str]:
    return list(row.get("documents") or row["expected_documents"])


def rank_of(row: Row, passages: Sequence[Passage]) -> int:
    """The place of the first passage of a wanted document, from 1; 0: it is not there."""
    hits = (place for place, one in enumerate(passages, 1) if any(_same(one.uri, uri) for uri in wanted(row)))
    return next(hits, 0)


def _same(uri: str, other: str) -> bool:
    return uri.endswith(other) or other.endswith(uri)


def weights(files: Sequence[str], retrieval: Sequence[float], order: Sequence[float]) -> None:
    collections = list(Collection.objects.all())
    sets = {Path(path).stem: rows_of(path) for path in files}
    found("rozgrzewka: godziny pracy urzędu", collections)
    for weight, worth in [(0.0, 0.0), *((one, other) for one in retrieval for other in order)]:
        started = time.perf_counter()
        with weighed(weight, worth):
            ranks = {name: [rank_of(row, found(row["question"], collections)) for row in sets[name]] for name in sets}
        spent = 1000 * (time.perf_counter() - started) / sum(map(len, ranks.values()))
        print(
            f"search {weight:.2f} order {worth:.2f}  {spent:5.1f} ms  " + "  ".join(map(_said, ranks, ranks.values()))
        )


def _said(name: str, ranks: Sequence[int]) -> str:
    first, three = (sum(0 < rank <= most for rank in ranks) / len(ranks) for most in (1, 3))
    return f"{name} {first:.3f}/{three:.3f} MRR {sum(1 / rank for rank in ranks if rank) / len(ranks):.3f}"


def coverage(files: Sequence[str]) -> None:
    collections = list(Collection.objects.all())
    missing = bridged = questions = helped = 0
    for row in (row for path in files for row in rows_of(path) if row.get("evidence")):
        evidence = {lemma for _form, lemma in analyser().words(row["evidence"] + " " + row.get("evidence2", ""))}
        query = expanded_query.analysed_and_expanded(row["question"], collections)
        lacking = [
            number
            for number, term in enumerate(query.terms)
            if not any(reading.lemma in evidence for reading in term.readings)
        ]
        over = {n for one in query.alternatives if set(one.lemmas) <= evidence for n in one.stands_for if n in lacking}
        missing, bridged = missing + len(lacking), bridged + len(over)
        questions, helped = questions + 1, helped + bool(over)
    print(
        f"{questions} questions; words that the evidence lacks: {missing}, bridged {bridged} ({bridged / missing:.1%})"
    )
    print(f"questions in which at least one word is bridged: {helped}")


def sets(names: Sequence[str], limit: int) -> None:
    for name in names:
        dataset = EvaluationDataset.objects.select_related("collection").get(name=name)
        questions = drawn(list(stored_questions(dataset)), RetrievalOptions(limit=limit))
        rankings: list[dict[str, tuple[str, ...]]] = []
        times: list[float] = []
        for weight in (0.0, WEIGHT):
            with weighed(weight, weight * passage_words.WORTH["lexicon"]):
                ranking, spent = _rankings(questions, dataset.collection)
            rankings.append(ranking)
            times.append(spent)
        judged = {question.id: question.judgements for question in questions}
        scores = [score_rankings(judged, ranking) for ranking in rankings]
        values = [mean(score[MEASURE] for score in one.values()) for one in scores]
        moved = [scores[1][key][MEASURE] - scores[0][key][MEASURE] for key in scores[0]]
        better, worse = sum(move > 0 for move in moved), sum(move < 0 for move in moved)
        said = f"{name:<8} {values[0]:.4f} -> {values[1]:.4f}  better {better}, worse {worse} of {len(moved)}"
        print(f"{said}  ms {times[0]:.1f} -> {times[1]:.1f}", flush=True)


def _rankings(questions: Sequence[Any], collection: Any) -> tuple[dict[str, tuple[str, ...]], float]:
    ranking, times = {}, []
    for question in questions:
        started = time.perf_counter()
        passages = found(question.question, [collection], top_k=20)
        times.append(1000 * (time.perf_counter() - started))
        ranking[question.id] = tuple(dict.fromkeys(passage.uri for passage in passages))
    return ranking, median(times)


def numbers(text: str) -> list[float]:
    return [float(part) for part in text.split(",")]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["weights", "coverage", "sets"])
    parser.add_argument("names", nargs="+")
    parser.add_argument("--retrieval", type=numbers, default=[0.3, 0.5, 0.8, 0.95])
    parser.add_argument("--order", type=numbers, default=[0.4, 0.6, 0.8])
    parser.add_argument("--limit", type=int, default=150)
    chosen = parser.parse_args()
    if chosen.what == "weights":
        weights(chosen.names, chosen.retrieval, chosen.order)
    elif chosen.what == "coverage":
        coverage(chosen.names)
    else:
        sets(chosen.names, chosen.limit)
