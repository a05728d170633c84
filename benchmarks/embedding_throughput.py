"""Throughput of ingestion with a model, as a share of the model's own encode loop on the same texts in the same run.

    python benchmarks/embedding_throughput.py --chunks chunks_100k.jsonl.gz --model multilingual-e5-small
    python benchmarks/embedding_throughput.py --chunks chunks_100k.jsonl.gz --model bge-m3 --documents 1

The models have the shape of those they are named after and random weights (`random_models.py`). Ingestion is the job
that the worker runs: from the stored file to committed rows of chunks, words, names and vectors, the embedding cache
emptied before. The loop is `model.encode(texts, normalize_embeddings=True)` with its own batch size of 32, on the texts
that ingestion embedded. The two alternate; the database is a new one in a temporary folder.
"""

import argparse
import gzip
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
PER_DOCUMENT = 25  # lines of the file that make one document
LEARNT = 5_000  # lines that the word pieces are learnt from


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=Path, required=True, help="JSON lines with `text`, compressed with gzip")
    parser.add_argument("--model", default="multilingual-e5-small", choices=["multilingual-e5-small", "bge-m3"])
    parser.add_argument("--documents", type=int, default=4)
    parser.add_argument("--lines", type=int, default=PER_DOCUMENT, help="lines of the file that make one document")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=0, help="of torch; 0: as many as it takes by itself")
    arguments = parser.parse_args()
    from benchmarks.random_models import build_model

    lines = read_lines(arguments.chunks, max(LEARNT, arguments.documents * arguments.lines))
    contents = [
        "\n\n".join(lines[start * arguments.lines : (start + 1) * arguments.lines])
        for start in range(arguments.documents)
    ]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "knowledgetree.settings",
            "VAR_DIR": f"{folder}/var",
            "EMBEDDER": "sentence_transformers",
            "EMBEDDING_MODEL": str(build_model(Path(folder), arguments.model, lines)),
        }
        compare(contents, arguments.rounds, arguments.threads)


def read_lines(path: Path, count: int) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line)["text"] for _, line in zip(range(count), lines, strict=False)]


def compare(contents: list[str], rounds: int, threads: int) -> None:
    import django
    import torch

    torch.set_num_threads(threads or torch.get_num_threads())
    django.setup()
    from django.core.management import call_command

    from ingestion.jobs.running import run_job
    from ingestion.models import Collection, EmbeddingCacheEntry, Job
    from ingestion.services.documents import add_document, queue_indexing

    call_command("migrate", verbosity=0)
    collection = Collection.objects.create(name="Test", slug="test")
    documents = [
        add_document(collection=collection, name=f"{n}.txt", content=text.encode(), enqueue=False)
        for n, text in enumerate(contents)
    ]

    def ingest_all() -> None:
        EmbeddingCacheEntry.objects.all().delete()
        for document in documents:
            job = queue_indexing(document, enqueue=False)
            run_job(str(job.pk))
            job.refresh_from_db()
            assert job.status == Job.Status.SUCCEEDED, job.error_message

    ingest_all()  # loads the model, measures the batch size, fills the caches of the analyser
    texts, embedder = embedded(documents)
    model = embedder._encoder._model
    tokens = sorted(len(ids) for ids in model.tokenizer(texts)["input_ids"])
    print(
        f"{len(documents)} documents, {len(texts)} texts of {statistics.median(tokens):.0f} tokens "
        f"(longest {tokens[-1]}), batch size {embedder.batch_size} (measured: {embedder._encoder._batch.measured}), "
        f"{torch.get_num_threads()} threads"
    )
    measure(ingest_all, lambda: model.encode(texts, normalize_embeddings=True), texts=len(texts), rounds=rounds)


def embedded(documents: list) -> tuple[list[str], object]:
    """The texts that the documents' chunks were embedded as, and the embedder."""
    from ingestion.index.vectors import draft_of, embedded_texts
    from ingestion.selectors import active_space, embedder_of

    space = active_space()
    embedder = embedder_of(space)
    texts = [
        embedder._passage_prefix + text
        for document in documents
        for chunk in document.chunks.select_related("document").order_by("ordinal")
        for text in embedded_texts(draft_of(chunk), title=chunk.document.title, space=space)
    ]
    return texts, embedder


def measure(ingestion: Callable[[], None], loop: Callable[[], object], *, texts: int, rounds: int) -> None:
    ours, own = [], []
    for number in range(rounds):
        pair = (ingestion, loop) if number % 2 else (loop, ingestion)  # a drift of the machine favours neither
        seconds = {side: timed(side) for side in pair}
        ours.append(seconds[ingestion])
        own.append(seconds[loop])
        print(
            f"ingestion {texts / ours[-1][0]:6.2f} texts/s, loop {texts / own[-1][0]:6.2f} texts/s, ratio "
            f"{own[-1][0] / ours[-1][0]:.3f}, by processor time {own[-1][1] / ours[-1][1]:.3f}; "
            f"load {os.getloadavg()[0]:.1f}",
            flush=True,
        )
    for place, of in enumerate(("time", "processor time of this process")):
        ratio = statistics.median(side[place] for side in own) / statistics.median(side[place] for side in ours)
        print(f"ratio of medians, {of}: {ratio:.3f}")


def timed(call: Callable[[], object]) -> tuple[float, float]:
    """Seconds, and seconds of processor time."""
    wall, cpu = time.perf_counter(), time.process_time()
    call()
    return time.perf_counter() - wall, time.process_time() - cpu


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
