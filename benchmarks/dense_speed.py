"""Recall and speed of the dense search on 100,000 x 1024 vectors, by filter, beside each of its two strategies alone.

    VAR_DIR=/tmp/benchmark python benchmarks/dense_speed.py

Uses the database of the settings; give it one of its own. A second run finds the vectors there; `--uniform` needs a
database for itself.
How the vectors are made is said in `dense_corpus.py`. A time is the best of three, so that another process counts less;
`CPU` is the mean processor time of a search, in this process and in its server process, whatever else runs.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

import numpy as np  # noqa: E402
from dense_corpus import FILTERS, Corpus, make_corpus, store  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from numpy.typing import NDArray  # noqa: E402

from ingestion.models import Collection, EmbeddingSpace  # noqa: E402
from rag.search.retrieval.dense import DenseHit, DenseRetriever  # noqa: E402
from rag.search.retrieval.filters import condition  # noqa: E402
from rag.search.retrieval.lexical import corpus_statistics  # noqa: E402
from rag.search.retrieval.selectivity import selectivity  # noqa: E402
from rag.types import Filters  # noqa: E402

TOP = 20
REPEATS = 3
SECONDS = 10  # a row of the table; what takes long is measured on fewer questions

RETRIEVERS = {
    "chosen": DenseRetriever(),
    "index alone": DenseRetriever(strategy="index"),
    "exact alone": DenseRetriever(strategy="exact"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--uniform", action="store_true", help="vectors without topics: the hardest case, like no text")
    arguments = parser.parse_args()
    call_command("migrate", verbosity=0)
    corpus = make_corpus(arguments.chunks, arguments.questions, uniform=arguments.uniform)
    started = time.perf_counter()
    space = EmbeddingSpace.objects.only("dimension", "sentence_vectors").filter(name="synthetic").first() or store(
        corpus
    )
    print(f"stored and indexed in {time.perf_counter() - started:.0f} s; {parameters_of_index(space)}\n")
    print("| filter | passing | search | strategy | questions | recall@20 | worst | p50 ms | p95 ms | CPU ms |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    similarities = corpus.questions @ corpus.vectors.T
    for label, filters in FILTERS.items():
        report(label, filters, corpus, space, similarities)


def report(label: str, filters: Filters, corpus: Corpus, space: EmbeddingSpace, similarities: NDArray[Any]) -> None:
    slugs = filters.collections or ("large", "small")
    collections = list(Collection.objects.filter(slug__in=slugs).values_list("pk", flat=True))
    where = condition(filters)
    chunks, passing = chunk_keys(where, collections)
    exact = exact_top(similarities, chunks, passing)
    estimate = selectivity(where, collections, corpus_statistics(collections))
    for name, retriever in RETRIEVERS.items():

        def search(vector: NDArray[Any], retriever: DenseRetriever = retriever) -> list[DenseHit]:
            return retriever.retrieve(vector, space=space, collection_ids=collections, condition=where, limit=TOP)

        times, recalls, processor = measured(search, corpus.questions, exact)
        print(
            f"| {label} | {passing.sum()} | {name} | {retriever.strategy(estimate, TOP)} | {len(times)} "
            f"| {np.mean(recalls):.3f} | {min(recalls):.2f} | {np.median(times):.1f} | {np.percentile(times, 95):.1f} "
            f"| {processor:.1f} |",
            flush=True,
        )


def chunk_keys(where: Any, collections: Sequence[int]) -> tuple[NDArray[Any], NDArray[Any]]:
    """All keys in the order of the vectors, and which of them pass."""
    sql = (
        f"SELECT c.id, c.collection_id = ANY(%s) AND {where.sql} "
        "FROM ingestion_chunk c JOIN ingestion_document d ON d.id = c.document_id ORDER BY c.id"
    )
    with connection.cursor() as cursor:
        cursor.execute(sql, [list(collections), *where.parameters])
        chunks, passing = zip(*cursor.fetchall(), strict=True)
    return np.array(chunks), np.array(passing)


def exact_top(similarities: NDArray[Any], chunks: NDArray[Any], passing: NDArray[Any]) -> list[set[int]]:
    """By brute force over all vectors."""
    kept = np.flatnonzero(passing)
    return [set(chunks[kept[np.argsort(-row[kept])[:TOP]]].tolist()) for row in similarities]


def measured(
    search: Callable[[NDArray[Any]], list[DenseHit]], questions: NDArray[Any], exact: Sequence[set[int]]
) -> tuple[list[float], list[float], float]:
    """Milliseconds, the best of `REPEATS`, and recall of each question; the mean processor time of a search."""
    times, recalls = [], []
    began, used = time.perf_counter(), processor_seconds()
    for vector, wanted in zip(questions, exact, strict=False):
        best = float("inf")
        for _ in range(REPEATS):
            started = time.perf_counter()
            found = search(vector)
            best = min(best, time.perf_counter() - started)
        times.append(best * 1000)
        recalls.append(len({hit.chunk_id for hit in found} & wanted) / max(1, len(wanted)))
        if time.perf_counter() - began > SECONDS:
            break
    return times, recalls, (processor_seconds() - used) * 1000 / (REPEATS * len(times))


def processor_seconds() -> float:
    """Used so far by this process and by the server process of its connection, which must be on this machine."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        backend = Path(f"/proc/{cursor.fetchone()[0]}/schedstat")
    return time.process_time() + int(backend.read_text().split()[0]) / 1e9


def parameters_of_index(space: EmbeddingSpace) -> str:
    name = f"ingestion_embedding_space_{space.pk}"
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_size_pretty(pg_relation_size(oid)), coalesce(reloptions::text, 'pgvector''s defaults') "
            "FROM pg_class WHERE relname = %s",
            [name],
        )
        size, options = cursor.fetchone()
    return f"HNSW of {size}, {options}"


if __name__ == "__main__":
    main()
