"""Thousands of small documents indexed by two workers while somebody searches, and one worker is killed on the way.

`python benchmarks/queue_of_documents.py [--documents 10000]`

Runs an installation of its own. Fails where a search failed or found nothing, a document is missing or there twice, a
count is wrong, or PostgreSQL met a deadlock. Prints documents a second and the times of the searches.
"""

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]

CHECKS = {
    "documents that are not ready": "SELECT count(*) FROM ingestion_document WHERE status <> 'ready'",
    "jobs that did not succeed": "SELECT count(*) FROM ingestion_job WHERE status <> 'succeeded'",
    "documents indexed twice": "SELECT count(*) FROM (SELECT 1 FROM ingestion_extraction GROUP BY document_id HAVING "
    "count(*) > 1) AS twice",
    "documents without a chunk": "SELECT count(*) FROM ingestion_document d WHERE NOT EXISTS "
    "(SELECT FROM ingestion_chunk c WHERE c.document_id = d.id)",
    "chunks without postings": "SELECT count(*) FROM ingestion_chunk c WHERE NOT EXISTS "
    "(SELECT FROM ingestion_posting p WHERE p.chunk_id = c.id)",
    "chunks counted wrongly": "SELECT (SELECT count(*) FROM ingestion_chunk) - "
    "(SELECT sum(chunks) FROM ingestion_collectionstatistics)",
    "deadlocks": "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=10_000)
    options = parser.parse_args()
    from tests.installation import Installation, installation, wait_until
    from tests.journeys.reembedding import WORDS, Load

    def write(folder: Path) -> None:
        folder.mkdir()
        for n in range(options.documents):
            sentences = (
                " ".join(WORDS[(n * 7 + k * k + k * line) % len(WORDS)] for k in range(12)) for line in range(8)
            )
            (folder / f"{n}.md").write_text(f"# Dokument {n}\n\n" + ".\n\n".join(sentences) + ".\n", encoding="utf-8")

    def ready(site: Installation) -> int:
        return int(str(site.sql("SELECT count(*) FROM ingestion_document WHERE status = 'ready'")[0][0]))

    def index(site: Installation, place: Path) -> Load:
        (place / "wzor.md").write_text("# Wzór\n\n" + " ".join(WORDS), encoding="utf-8")
        site.manage("index", str(place / "wzor.md"), "--collection", "proba", "--visibility", "public")
        load = Load(site.start_web(SEARCH_RATE="1000000/min"))
        started = time.monotonic()
        site.manage("index", str(place / "dokumenty"), "--collection", "proba", "--queue", seconds=7200)
        queued = time.monotonic()
        first, _ = (site.start("manage.py", "worker", WORKERS="1") for _ in range(2))
        wait_until(lambda: ready(site) > 1, seconds=120)
        working = time.monotonic()
        load.start()
        wait_until(lambda: ready(site) > options.documents / 2, seconds=7200)
        site.end(first, signal.SIGKILL)
        site.start("manage.py", "worker", WORKERS="1")
        wait_until(lambda: ready(site) == options.documents + 1, seconds=7200)
        seconds = time.monotonic() - working
        wait_until(lambda: site.sql(CHECKS["jobs that did not succeed"]) == [(0,)], seconds=60)
        load.end()
        rate = options.documents / seconds
        print(f"queued in {queued - started:.0f} s, indexed in {seconds:.0f} s: {rate:.1f} documents a second")
        return load

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        write(place / "dokumenty")
        with installation(place / "var", "kt_queue_of_documents", JOB_STALE_SECONDS="10") as site:
            load = index(site, place)
            found = {title: int(str(site.sql(statement)[0][0])) for title, statement in CHECKS.items()}
            taken_up = site.sql("SELECT count(*) FROM ingestion_job WHERE attempts > 1")[0][0]
    times = sorted(load.seconds["idle"])
    searches = {"searches": len(times), "p50_ms": 1000 * times[len(times) // 2], "p95_ms": 1000 * load.p95("idle")}
    print(json.dumps({**found, "taken up again": taken_up, **searches, "faults": load.faults[:5]}, indent=2))
    if any(found.values()) or load.faults:
        sys.exit("something was lost or done twice")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")
    import django

    django.setup()
    main()
