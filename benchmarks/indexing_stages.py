"""Processor time of each step of indexing, in this process and in PostgreSQL's, for short documents in one go.

    VAR_DIR=/tmp/stages python benchmarks/indexing_stages.py --chunks chunks_100k.jsonl.gz [--limit 5200]

Times of what a step calls that is in the table itself are left out of its own. Linux alone.
"""

import argparse
import functools
import gzip
import json
import os
import sys
import time
import uuid
from collections import defaultdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from ingestion import pipeline  # noqa: E402
from ingestion.index import duplicates, findings, graph, publishing, terms, writing  # noqa: E402
from ingestion.models import Collection  # noqa: E402
from ingestion.services import corpora  # noqa: E402

STEPS = {
    corpora: "_read split extract store_originals _learn_lemmas indexed_chunks copy_models write_documents "
    "refresh_planner_statistics",
    pipeline: "searched_words living_vectors",
    publishing: "_publish",
    writing: "enter_terms copy_models write_words recognised_names write_mentions write_vectors write_personal_data "
    "write_sketches",
    terms: "_known_terms write_lemmas",
    findings: "find_personal_data",
    duplicates: "_drawn",
    graph: "_enter_entities",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=5200)
    arguments = parser.parse_args()
    call_command("migrate", verbosity=0)
    with gzip.open(arguments.chunks, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for _, line in zip(range(arguments.limit), lines, strict=False)]
    entries = [corpora.CorpusEntry(uri=row["id"], title="", text=row["text"]) for row in rows]
    name = f"stages-{uuid.uuid4()}"
    collection = Collection.objects.create(slug=name, name=name)
    clock = Clock()
    for module, names in STEPS.items():
        for step in names.split():
            setattr(module, step, clock.timed(step, getattr(module, step)))
    start = clock.now()
    chunks = corpora.index_corpus(collection=collection, entries=entries).chunks
    whole = [after - before for before, after in zip(start, clock.now(), strict=True)]
    print(f"{chunks} chunks, microseconds a chunk{'':4}{'here':>10}{'PostgreSQL':>12}")
    steps = sorted(clock.spent.items(), key=lambda item: -sum(item[1]))
    for step, spent in [("in all", whole), *steps]:
        print(f"{step:36}{spent[0] / chunks * 1e6:>10.0f}{spent[1] / chunks * 1e6:>12.0f}")


class Clock:
    """Seconds of processor time by step: of this process and of its backend."""

    def __init__(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            self._backend = Path(f"/proc/{cursor.fetchone()[0]}/schedstat")
        self.spent: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
        self._inner: list[list[float]] = [[0.0, 0.0]]

    def now(self) -> tuple[float, float]:
        return time.process_time(), int(self._backend.read_text().split()[0]) / 1e9

    def timed(self, step: str, call: Any) -> Any:
        @functools.wraps(call)
        def measured(*args: Any, **options: Any) -> Any:
            start = self.now()
            self._inner.append([0.0, 0.0])
            try:
                return call(*args, **options)
            finally:
                spent = [after - before for before, after in zip(start, self.now(), strict=True)]
                inner = self._inner.pop()
                for place in range(2):
                    self.spent[step][place] += spent[place] - inner[place]
                    self._inner[-1][place] += spent[place]

        return measured


if __name__ == "__main__":
    main()
