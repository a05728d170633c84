"""Recall and speed of the dense search of an installation on the vectors that it has, against comparing with every one.

    VAR_DIR=/tmp/million python benchmarks/dense_recall.py --collection million --questions …/queries.jsonl …

Reads all vectors of the collection into memory, 4 bytes a number. A time is the best of three of one question; rights
and filters are those of an operator who asks for nothing but the collection.
"""

import argparse
import os
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

import numpy as np  # noqa: E402
from django.db import connection  # noqa: E402
from lexical_speed import read_questions  # noqa: E402
from numpy.typing import NDArray  # noqa: E402
from whole_search import spread  # noqa: E402

from ingestion.embedding.protocol import Embedder  # noqa: E402
from ingestion.models import Collection, EmbeddingSpace  # noqa: E402
from ingestion.selectors import active_space  # noqa: E402
from knowledgetree.components import component  # noqa: E402
from rag.search.retrieval.dense import DenseRetriever  # noqa: E402
from rag.search.retrieval.filters import condition  # noqa: E402
from rag.types import Filters  # noqa: E402

TOP = 20
REPEATS = 3
HEADER = 19  # bytes of COPY's binary format before the first row
VECTORS = """
COPY (SELECT e.embedding FROM ingestion_chunkembedding e JOIN ingestion_chunk c ON c.id = e.chunk_id
      WHERE e.space_id = {space} AND e.part = 0 AND c.collection_id = {collection}) TO STDOUT (FORMAT BINARY)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--collection", required=True)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--limit", type=int, default=200)
    parser.add_argument("--ef-search", type=int, nargs="+", default=[0], help="of HNSW; 0: what the product takes")
    arguments = parser.parse_args()
    collection, space = Collection.objects.get(slug=arguments.collection), active_space()
    assert space is not None
    vectors = vectors_of(space, collection)
    print(f"{len(vectors)} vectors of {vectors.shape[1]} numbers")
    embedder: Embedder = component("embedders", space.embedder)
    asked = [
        np.asarray(embedder.embed_query(text)) for text in spread(read_questions(arguments.questions), arguments.limit)
    ]
    least = [least_similarity(vectors, vector) for vector in asked]
    for ef_search in arguments.ef_search:
        retriever = DenseRetriever(ef_search) if ef_search else DenseRetriever()
        recalls, times = list[float](), list[float]()
        for vector, enough in zip(asked, least, strict=True):
            best = float("inf")
            for _ in range(REPEATS):
                started = time.perf_counter()
                found = retriever.retrieve(
                    vector, space=space, collection_ids=[collection.pk], condition=condition(Filters()), limit=TOP
                )
                best = min(best, time.perf_counter() - started)
            times.append(best * 1000)
            recalls.append(sum(hit.similarity >= enough - 1e-4 for hit in found) / TOP)  # of equal ones any will do
        print(
            f"ef_search {ef_search or 'as shipped'}: recall@{TOP} {np.mean(recalls):.3f}, worst {min(recalls):.2f}, ",
            end="",
        )
        print(
            f"p50 {np.median(times):.1f} ms, p95 {np.percentile(times, 95):.1f} ms, {len(times)} questions", flush=True
        )


def least_similarity(vectors: NDArray[np.float32], vector: NDArray[np.float32]) -> float:
    """Of the nearest ones."""
    similarities = vectors @ vector
    return float(np.partition(similarities, -TOP)[-TOP])


def vectors_of(space: EmbeddingSpace, collection: Collection) -> NDArray[np.float32]:
    """At length 1, in no order."""
    row = np.dtype(
        [
            *(("fields", ">i2"), ("bytes", ">i4"), ("dimension", ">i2"), ("unused", ">i2")),
            ("numbers", ">f4", space.dimension),
        ]
    )
    statement = VECTORS.format(space=int(space.pk), collection=int(collection.pk))
    with connection.cursor() as cursor, cursor.copy(statement) as copied:
        content = b"".join(bytes(block) for block in copied)
    rows = np.frombuffer(content, row, offset=HEADER, count=(len(content) - HEADER) // row.itemsize)
    vectors = rows["numbers"].astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-12
    return vectors


if __name__ == "__main__":
    main()
