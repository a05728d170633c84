"""Whether Qdrant beside PostgreSQL finds what PostgreSQL finds, what it takes to fill it, and what drift costs.

    python benchmarks/search_engine.py --dataset ../shared/data/retrieval/lquad --folder /tmp/qdrant

Fills a generation of the database of the settings (VAR_DIR=/tmp/benchmark), where a second run finds the passages. With
QDRANT_URL that server is asked; else Qdrant's engine as a library, in a process of its own (`tests.qdrant_server`),
which keeps its files in the folder: there Python stands between, so its times are no server's.
"""

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django  # noqa: E402

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from ingestion.embedding.cache import query_vector  # noqa: E402
from ingestion.index.engine.generations import (  # noqa: E402
    begin_generation,
    drop_retired,
    fill_generation,
    retire_generations,
    switch_generation,
)
from ingestion.models import Collection, EngineGeneration  # noqa: E402
from ingestion.selectors import active_space, embedder_of  # noqa: E402
from ingestion.services.corpora import CorpusEntry, index_corpus  # noqa: E402
from knowledgetree.conf import LexicalSettings  # noqa: E402
from knowledgetree.search_engine.configuration import SearchEngineSettings  # noqa: E402
from knowledgetree.search_engine.connection import Engine, connect  # noqa: E402
from rag.search.query.expanded_query import analysed_and_expanded  # noqa: E402
from rag.search.retrieval.backends.postgres import PostgresBackend  # noqa: E402
from rag.search.retrieval.backends.protocol import SearchBackend  # noqa: E402
from rag.search.retrieval.backends.qdrant import QdrantBackend  # noqa: E402
from rag.search.retrieval.dense import DenseRetriever  # noqa: E402
from rag.search.retrieval.filters import condition  # noqa: E402
from rag.search.retrieval.lexical import corpus_statistics  # noqa: E402
from rag.types import Filters  # noqa: E402

TOP = 20
FIRST = 10
DRIFTS = (1.05, 0.95, 1.3, 0.7, 2.0)
DRIFTED = 200  # questions

_ENTRIES = """
SELECT count(DISTINCT chunk_id),
       sum((lemma_count > 0)::int + (form_count > 0)::int)::float8 / count(DISTINCT chunk_id),
       (SELECT words / chunks::float8 FROM ingestion_collectionstatistics WHERE collection_id = %s)
FROM ingestion_posting WHERE collection_id = %s
"""

Ranking = Sequence[tuple[Any, ...]]


class Counting(QdrantBackend):
    """Counts how often more had to be proposed."""

    rounds = 0

    def _proposed(self, *asked: Any) -> Any:
        self.rounds += 1
        return super()._proposed(*asked)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", type=Path, required=True)
    parser.add_argument("--folder", type=Path, required=True, help="of the engine's files")
    parser.add_argument("--questions", type=int, default=1000)
    parser.add_argument("--shards", type=int, default=2)
    parser.add_argument("--port", type=int, default=18500)
    arguments = parser.parse_args()
    call_command("migrate", verbosity=0)
    collection = indexed(arguments.dataset)
    questions = read_questions(arguments.dataset, arguments.questions)
    with server(arguments) as url:
        engine = connect(SearchEngineSettings(backend="qdrant", url=url, seconds=60.0), writing=True)
        fill(engine, arguments.shards)
        if not os.environ.get("QDRANT_URL"):
            print(f"on the disk: {size(arguments.folder) / 1e6:.0f} MB")
        postgres = PostgresBackend(LexicalSettings())
        qdrant = Counting(lambda: engine, LexicalSettings(), otherwise=postgres)
        compare_words(collection, questions, postgres, qdrant)
        compare_vectors(collection, questions, postgres, qdrant)
        retire_generations("active", "building")
        EngineGeneration.objects.update(retired="2000-01-01T00:00Z")
        drop_retired(engine)


def indexed(dataset: Path) -> Collection:
    rows = [json.loads(line) for line in (dataset / "corpus.jsonl").read_text(encoding="utf-8").splitlines()]
    entries = [CorpusEntry(uri=str(row["id"]), title=row.get("title", ""), text=row["text"]) for row in rows]
    collection, _ = Collection.objects.get_or_create(slug=dataset.name, defaults={"name": dataset.name})
    index_corpus(collection=collection, entries=entries)
    with connection.cursor() as cursor:
        cursor.execute(_ENTRIES, [collection.pk, collection.pk])
        chunks, entries_a_chunk, words = cursor.fetchone()
    print(
        f"{dataset.name}: {chunks} chunks of {words:.0f} words, {entries_a_chunk:.0f} entries of a sparse vector each"
    )
    return collection


def read_questions(dataset: Path, wanted: int) -> list[str]:
    lines = (dataset / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    return random.Random(0).sample(texts, min(wanted, len(texts)))


@contextmanager
def server(arguments: argparse.Namespace) -> Iterator[str]:
    if url := os.environ.get("QDRANT_URL"):
        yield url
        return
    command = [sys.executable, "-m", "tests.qdrant_server", arguments.folder, arguments.port, arguments.shards]
    process = subprocess.Popen(list(map(str, command)), cwd=ROOT, stdout=subprocess.PIPE)
    try:
        assert process.stdout
        process.stdout.readline()  # it listens
        yield f"http://127.0.0.1:{arguments.port}"
    finally:
        process.terminate()
        process.wait()


def fill(engine: Engine, shards: int) -> EngineGeneration:
    settings = SearchEngineSettings(shards=shards)
    generation = begin_generation(engine, settings=settings, lexical=LexicalSettings())
    begun, chunks = time.perf_counter(), 0
    while written := fill_generation(engine, generation):
        chunks += written
    seconds = time.perf_counter() - begun
    print(f"filled: {chunks} chunks, {chunks / seconds:.0f} chunks/s")
    return switch_generation(engine)


def compare_words(
    collection: Collection, questions: Sequence[str], postgres: PostgresBackend, qdrant: Counting
) -> None:
    """With the norm that the engine was filled with, and with others, as if the mean length had drifted since."""
    statistics_ = corpus_statistics([collection.pk])
    queries = [analysed_and_expanded(question, [collection]) for question in questions]

    def search(backend: SearchBackend, drift: float, count: int) -> list[tuple[float, Ranking]]:
        known = replace(statistics_, mean_length=statistics_.mean_length * drift)
        common: dict[str, Any] = {"collections": [collection], "statistics": known, "condition": condition(Filters())}
        return [timed(lambda query=query: backend.by_words(query, limit=TOP, **common)) for query in queries[:count]]

    for drift, count in ((1.0, len(queries)), *((drift, DRIFTED) for drift in DRIFTS)):
        qdrant.rounds = 0
        ours, theirs = search(postgres, drift, count), search(qdrant, drift, count)
        report(f"words, mean length x {drift}", ours, theirs)
        print(f"    asked {qdrant.rounds / len(theirs):.2f} times a question")


def compare_vectors(
    collection: Collection, questions: Sequence[str], postgres: PostgresBackend, qdrant: QdrantBackend
) -> None:
    space = active_space()
    assert space
    vectors = [query_vector(embedder_of(space), question) for question in questions]
    common: dict[str, Any] = {
        "space": space,
        "collection_ids": [collection.pk],
        "statistics": corpus_statistics([collection.pk]),
        "condition": condition(Filters()),
        "limit": TOP,
    }
    compare_all = DenseRetriever(strategy="exact").retrieve
    exact = [timed(lambda vector=vector: compare_all(vector, **common)) for vector in vectors]
    ours = [timed(lambda vector=vector: postgres.by_vector(vector, **common)) for vector in vectors]
    theirs = [timed(lambda vector=vector: qdrant.by_vector(vector, **common)) for vector in vectors]
    report("vectors, of all compared and PostgreSQL's index", exact, ours)
    report("vectors, of all compared and Qdrant", exact, theirs)


def report(what: str, ours: list[tuple[float, Ranking]], theirs: list[tuple[float, Ranking]]) -> None:
    """Equal: the same chunks in the same order, but for chunks whose scores differ by less than a millionth."""
    kinds = Counter(_kind(one[1][:FIRST], other[1][:FIRST]) for one, other in zip(ours, theirs, strict=True))
    same = kinds["same"] + kinds["ties"]
    medians = [statistics.median(milliseconds for milliseconds, _ in one) for one in (ours, theirs)]
    print(f"{what}: the same first {FIRST} in {same} of {len(ours)} ({kinds['ties']} with ties in another order)")
    print(f"    {medians[0]:.1f} ms and {medians[1]:.1f} ms (median)")


def _kind(one: Ranking, other: Ranking) -> str:
    if [row[0] for row in one] == [row[0] for row in other]:
        return "same"
    scores = zip((row[1] for row in one), (row[1] for row in other), strict=False)
    return "ties" if len(one) == len(other) and all(abs(a - b) < 1e-6 for a, b in scores) else "other"


def size(folder: Path) -> int:
    return sum(file.stat().st_blocks * 512 for file in folder.rglob("*") if file.is_file())


def timed(call: Callable[[], Ranking]) -> tuple[float, Ranking]:
    begun = time.perf_counter()
    result = call()
    return (time.perf_counter() - begun) * 1000, result


if __name__ == "__main__":
    main()
