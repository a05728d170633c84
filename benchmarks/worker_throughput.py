"""How many chunks a second one worker indexes, all in: `python benchmarks/worker_throughput.py [--documents 60]`.

Markdown documents of about 100 chunks each go through the queue of an installation of its own, in the offline preset:
reading in the confined process, chunking, analysis, vectors, postings, names, sketches, commit. Prints chunks a second
from the first ready document to the last, the processor time that they took and the memory of the worker.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[1]
BAR = 150


def write(folder: Path, documents: int, words: list[str]) -> None:
    """Sections of 80 sentences of 12 words each, drawn without repeating a sentence."""
    folder.mkdir()
    for n in range(documents):
        lines = [f"# Dokument {n}"]
        for section in range(30):
            lines.append(f"\n## Rozdział {section}\n")
            for sentence in range(48):
                seed = n * 7919 + section * 104729 + sentence * 1299709
                lines.append(" ".join(words[(seed + k * (seed % 97 + 1)) % len(words)] for k in range(12)) + ".")
        (folder / f"{n}.md").write_text("\n".join(lines), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=60)
    documents: int = parser.parse_args().documents
    from tests.installation import Installation, installation, wait_until

    def count(site: Installation, sql: str) -> int:
        return int(str(site.sql(sql)[0][0]))

    def ready(site: Installation) -> int:
        return count(site, "SELECT count(*) FROM ingestion_document WHERE status = 'ready'")

    texts = sorted((ROOT / "fixtures/urzad").rglob("*.md"))
    words = sorted({word.strip(".,:;()„”") for path in texts for word in path.read_text(encoding="utf-8").split()})
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        write(place / "dokumenty", documents, [word for word in words if word.isalpha()])
        with installation(place / "var", "kt_worker_throughput") as site:
            site.manage("index", str(place / "dokumenty"), "--collection", "proba", "--queue", seconds=1800)
            worker = site.start("manage.py", "worker", WORKERS="1")
            wait_until(lambda: ready(site) >= 1, seconds=300)
            first, started = count(site, "SELECT count(*) FROM ingestion_chunk"), time.monotonic()
            most = 0
            while ready(site) < documents:
                family = [psutil.Process(worker.pid), *psutil.Process(worker.pid).children(recursive=True)]
                most = max(most, *(process.memory_info().rss for process in family if process.is_running()))
                time.sleep(1)
            seconds = time.monotonic() - started
            chunks = count(site, "SELECT count(*) FROM ingestion_chunk") - first
    print(
        f"{chunks} chunks of {documents - 1} documents in {seconds:.0f} s: {chunks / seconds:.0f} chunks/s (bar {BAR})"
    )
    print(f"largest process of the worker: {most / 2**20:.0f} MB")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")
    import django

    django.setup()
    main()
