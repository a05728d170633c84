"""One system on one folder, in a process of its own: `python search.py PEER FOLDER OUTPUT.json [--limit N]`."""

import argparse
import json
import statistics
import time
from importlib import import_module
from pathlib import Path

from corpus import Entry, Peer, asked, read_entries

PEERS = {
    "langchain": ("LangChain BM25Retriever", "langchain_bm25.LangChainBM25"),
    "llama-index": ("LlamaIndex BM25Retriever", "llama_index_bm25.LlamaIndexBM25"),
    "llama-index-plain": ("LlamaIndex bez angielskiego stemmera", "llama_index_bm25.LlamaIndexBM25NotEnglish"),
    "haystack": ("Haystack InMemoryBM25Retriever", "haystack_bm25.HaystackBM25"),
    "txtai": ("txtai keyword=True", "txtai_bm25.TxtaiBM25"),
    "knowledgetree": ("KnowledgeTree", "knowledgetree_search.KnowledgeTreeSearch"),
}
NOT_INSTALLED = 3  # exit status


def build(key: str, entries: list[Entry], folder: Path) -> Peer:
    """Raises ModuleNotFoundError where the peer is not installed."""
    module, name = PEERS[key][1].split(".")
    options = {"name": folder.resolve().name} if key == "knowledgetree" else {}
    return getattr(import_module(module), name)(entries, **options)


def measure(key: str, folder: Path, limit: int, depth: int) -> dict[str, object]:
    """Rankings by question, the median and 95th percentile of milliseconds a question, seconds of indexing."""
    entries, queries = read_entries(folder), asked(folder, limit)
    started = time.perf_counter()
    peer = build(key, entries, folder)
    indexing = time.perf_counter() - started
    peer.search(next(iter(queries.values())), depth)  # loads what is loaded late
    rankings, times = {}, []
    for query, text in queries.items():
        started = time.perf_counter()
        rankings[query] = peer.search(text, depth)
        times.append((time.perf_counter() - started) * 1000)
    return {
        "version": peer.version,
        "indexing_seconds": round(indexing, 2),
        "median_ms": round(statistics.median(times), 2),
        "p95_ms": round(sorted(times)[int(0.95 * (len(times) - 1))], 2),
        "rankings": rankings,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peer", choices=PEERS)
    parser.add_argument("folder", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--depth", type=int, default=20)
    given = parser.parse_args()
    try:
        result = measure(given.peer, given.folder, given.limit, given.depth)
    except ModuleNotFoundError as error:
        print(error)
        raise SystemExit(NOT_INSTALLED) from error
    given.output.write_text(json.dumps(result), encoding="utf-8")


if __name__ == "__main__":
    main()
