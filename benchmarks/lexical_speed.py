"""Speed, size and memory of the lexical search on 100,000 chunks, against rank-bm25 on the same words in the same run.

    python benchmarks/lexical_speed.py --chunks ../shared/data/loadtest/chunks_100k.jsonl.gz \
        --questions ../shared/data/retrieval/{poquad,prawo,lquad,faq_ms}/queries.jsonl

Uses the database of the settings; give it one of its own (VAR_DIR=/tmp/benchmark). A second run finds the index there.
"""

import argparse
import gzip
import json
import os
import random
import statistics
import sys
import time
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from rank_bm25 import BM25Okapi  # noqa: E402

from ingestion.index.packed_rows import drop_packed_rows  # noqa: E402
from ingestion.index.packing import pack_postings  # noqa: E402
from ingestion.models import Collection  # noqa: E402
from ingestion.services.corpora import CorpusEntry, index_corpus  # noqa: E402
from ingestion.text.analyser import analyser  # noqa: E402
from knowledgetree.conf import LexicalSettings, rag_settings  # noqa: E402
from rag.search.query.analysis import analyse_query  # noqa: E402
from rag.search.retrieval.filters import condition  # noqa: E402
from rag.search.retrieval.lexical import LexicalRetriever, corpus_statistics  # noqa: E402
from rag.types import Filters  # noqa: E402

TOP = 20
PEER_QUESTIONS = 25


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=Path, required=True)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--limit", type=int, default=100_000)
    parser.add_argument("--no-peer", action="store_true", help="skip rank-bm25, which holds everything in memory")
    arguments = parser.parse_args()
    call_command("migrate", verbosity=0)
    entries = read_chunks(arguments.chunks, arguments.limit)
    questions = read_questions(arguments.questions)
    collection, _ = Collection.objects.get_or_create(slug="loadtest", defaults={"name": "Test obciążenia"})
    index(collection, entries)
    report_size(collection)
    ours = report_search(collection, questions)
    if not arguments.no_peer:
        report_peer(entries, questions, ours)


def read_chunks(path: Path, limit: int) -> list[CorpusEntry]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for _, line in zip(range(limit), lines, strict=False)]
    return [CorpusEntry(uri=str(row["id"]), title="", text=row["text"]) for row in rows]


def read_questions(paths: list[Path]) -> list[str]:
    """100 questions of each file with 5 to 12 words, the same ones every time."""
    chosen = []
    for path in paths:
        texts = [json.loads(line)["text"] for line in path.read_text(encoding="utf-8").splitlines()]
        fitting = [text for text in texts if 5 <= len(text.split()) <= 12]
        chosen += random.Random(7).sample(fitting, min(100, len(fitting)))
    return chosen


def index(collection: Collection, entries: list[CorpusEntry]) -> None:
    started = time.perf_counter()
    report = index_corpus(collection=collection, entries=entries, vectors=False)
    seconds = time.perf_counter() - started
    if report.chunks:
        print(f"indexing without vectors: {report.chunks} chunks, {report.chunks / seconds:.0f} chunks/s")
        with connection.cursor() as cursor:
            pack_postings()
            drop_packed_rows()
            cursor.execute("VACUUM FULL ANALYZE ingestion_posting")


def report_size(collection: Collection) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_table_size('ingestion_posting'), pg_indexes_size('ingestion_posting'), "
            "pg_total_relation_size('ingestion_postinglist')"
        )
        sizes = dict(zip(("postings", "their indexes", "lists"), cursor.fetchone(), strict=True))
    chunks = corpus_statistics([collection.pk]).chunks
    print(", ".join(f"{name}: {size / chunks / 1024:.2f} KB a chunk" for name, size in sizes.items()))


def report_search(collection: Collection, questions: list[str]) -> float:
    """Prints latencies with and without skipping, and what skipping loses; the median in milliseconds."""
    settings = rag_settings().lexical
    exact = replace(settings, max_postings=10**9)
    analysis = [timed(lambda text=text: analyse_query(text, [collection.pk])) for text in questions]
    print("analysis of the question", line([milliseconds for milliseconds, _ in analysis]))
    queries = [query for _, query in analysis]
    skipping = [search(settings, collection, query) for query in queries]
    full = [search(exact, collection, query) for query in queries]
    print("lexical search          ", line([milliseconds for milliseconds, _ in skipping]))
    print("the same, nothing skipped", line([milliseconds for milliseconds, _ in full]))
    overlap = [
        len({chunk for chunk, _ in ours} & {chunk for chunk, _ in all_}) / max(1, len(all_))
        for (_, ours), (_, all_) in zip(skipping, full, strict=True)
    ]
    same_first = [ours[:1] == all_[:1] for (_, ours), (_, all_) in zip(skipping, full, strict=True)]
    kept, firsts = statistics.mean(overlap), statistics.mean(same_first)
    print(f"skipping keeps {kept:.4f} of the exact top {TOP} and {firsts:.4f} of the firsts")
    return statistics.median(milliseconds for milliseconds, _ in skipping)


def search(settings: LexicalSettings, collection: Collection, query: object) -> tuple[float, list[tuple[int, float]]]:
    statistics_ = corpus_statistics([collection.pk])
    where = condition(Filters())
    retriever = LexicalRetriever(settings)
    return timed(
        lambda: retriever.retrieve(query, collections=[collection], statistics=statistics_, condition=where, limit=TOP)
    )


def report_peer(entries: list[CorpusEntry], questions: list[str], ours: float) -> None:
    words = analyser()
    index = BM25Okapi([[lemma for _, lemma in words.words(entry.text)] for entry in entries])
    times = []
    for question in questions[:: max(1, len(questions) // PEER_QUESTIONS)]:
        asked = [token.lemma for token in words.tokens(question) if not words.is_stop_word(token)]
        times.append(timed(lambda asked=asked: index.get_scores(asked).argpartition(-TOP)[-TOP:])[0])
    print("rank-bm25               ", line(times), f"= {statistics.median(times) / ours:.0f} x ours")


def timed(call):
    started = time.perf_counter()
    result = call()
    return (time.perf_counter() - started) * 1000, result


def line(times: list[float]) -> str:
    ordered = sorted(times)
    p50, p95 = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.95)]
    return f"p50 {p50:6.1f} ms   p95 {p95:6.1f} ms   ({len(times)} questions)"


if __name__ == "__main__":
    main()
