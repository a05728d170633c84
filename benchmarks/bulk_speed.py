"""How much processor time and room a bulk of short documents takes: rows, words, names, vectors, lists, all in.

    VAR_DIR=/tmp/bulk python benchmarks/bulk_speed.py --corpus chunks_100k.jsonl.gz [--limit 20000] [--processes 2]

`--corpus`: lines of {id, title, text}, packed or not, a document each. Into the database of the settings; give it one
of its own. Killed and called again it goes on where it was. Processor time is that of this process, of its children and
of PostgreSQL with all its backends, which on a machine full of other work says more than a clock. Linux alone.
"""

import argparse
import gzip
import json
import os
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

ROOT = Path(__file__).parents[1]
BESIDE = {"ingestion_chunkembedding", "ingestion_document", "ingestion_extraction", "ingestion_chunk"}
SIZES = """
SELECT relname, pg_table_size(oid), pg_indexes_size(oid) FROM pg_class
WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY pg_total_relation_size(oid) DESC LIMIT 16
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path, required=True)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--limit", type=int, default=20_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--collection", default="bulk")
    parser.add_argument("--compact", action="store_true", help="VACUUM FULL before sizes are taken")
    arguments = parser.parse_args()

    from django.core.management import call_command

    from ingestion.models import Collection
    from ingestion.services.corpora import CorpusEntry, index_corpus

    call_command("migrate", verbosity=0)
    lines = islice(read_lines(arguments.corpus), arguments.skip, arguments.skip + arguments.limit)
    rows = (json.loads(line) for line in lines)
    entries = [CorpusEntry(uri=str(row["id"]), title=row.get("title") or "", text=row["text"]) for row in rows]
    slug = arguments.collection
    collection, _ = Collection.objects.get_or_create(slug=slug, defaults={"name": slug, "visibility": "internal"})
    started, before, told = time.monotonic(), (own_seconds(), server_seconds()), 0.0

    def tell(done: int, total: int) -> None:
        nonlocal told
        if time.monotonic() - told > 30:
            told = time.monotonic()
            print(f"{time.strftime('%H:%M:%S')} {done} of {total}", flush=True)

    report = index_corpus(collection=collection, entries=entries, progress=tell, processes=arguments.processes)
    seconds = time.monotonic() - started
    if report.chunks:
        after = (own_seconds(), server_seconds())
        here, there = ((now - then) / report.chunks * 1e6 for now, then in zip(after, before, strict=True))
        print(f"{report.chunks} chunks in {seconds:.0f} s: {report.chunks / seconds:.0f}/s")
        print(f"microseconds of a processor a chunk: {here:.0f} here, {there:.0f} in PostgreSQL, ", end="")
        print(f"that is {2e6 / (here + there):.0f}/s of two processors")
    report_sizes(compact=arguments.compact)


def read_lines(path: Path) -> Iterator[str]:
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rt", encoding="utf-8") as lines:
        yield from lines


def own_seconds() -> float:
    import psutil

    family = [psutil.Process(), *psutil.Process().children(recursive=True)]
    return sum(sum(process.cpu_times()) for process in family)


def server_seconds() -> float:
    """Of PostgreSQL, the backends that have ended too."""
    import psutil
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SHOW data_directory")
        postmaster = int(Path(cursor.fetchone()[0], "postmaster.pid").read_text().split()[0])
    server = psutil.Process(postmaster)
    spent = sum(server.cpu_times())
    for backend in server.children(recursive=True):
        try:
            spent += backend.cpu_times().user + backend.cpu_times().system
        except psutil.NoSuchProcess:
            continue
    return spent


def report_sizes(*, compact: bool) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        if compact:
            cursor.execute("VACUUM FULL ANALYZE")
        cursor.execute("SELECT count(*) FROM ingestion_chunk")
        chunks = cursor.fetchone()[0]
        cursor.execute(SIZES)
        rows = cursor.fetchall()
    print(f"{chunks} chunks, KB a chunk{'rows':>26}{'indexes':>9}")
    for name, table, indexes in rows:
        beside = "beside" if name in BESIDE else ""
        print(f"{name:40}{table / chunks / 1024:>10.2f}{indexes / chunks / 1024:>9.2f}  {beside}")
    counted = sum(table + indexes for name, table, indexes in rows if name not in BESIDE)
    print(f"{'beside vectors, documents and texts':40}{counted / chunks / 1024:>10.2f}")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")
    import django

    django.setup()
    main()
