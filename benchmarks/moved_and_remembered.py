"""What a folder costs that was renamed at its place, and what the past of a repository costs, through the real job.

    python benchmarks/moved_and_remembered.py [--items 1000] [--files 200] [--commits 12]

A folder of `--items` files of 20 kB is renamed: in a Git repository behind Git's own server, and on WebDAV with numbers
of files as Nextcloud has them. "reread" is what it cost where only the content tells that a file is the same: the same
run without `Moves.unread`. Then a repository in which each commit changes all of `--files` files of 2 kB is read
with and without its past, and the documents are indexed. Processor seconds are user and system of this process and its
children (the servers among them), bytes are those of packs. Run it in a knowledge base of its own (VAR_DIR). Printed as
a line of JSON a measurement.
"""

import argparse
import json
import os
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from ingestion.jobs import run_job  # noqa: E402
from ingestion.models import Collection, Document, DocumentVersion, Job, Source, SyncReport  # noqa: E402
from ingestion.services.sources import keep_secret, start_sync  # noqa: E402
from ingestion.sources.connectors.git.client import GuardedGitClient  # noqa: E402
from ingestion.sources.connectors.moves import Moves  # noqa: E402
from tests.git_server import TOKEN, GitServer  # noqa: E402
from tests.webdav_server import ACCOUNT, PASSWORD, WebDAVServer  # noqa: E402

WORDS = ["urlop", "delegacja", "pracownik", "wniosek", "termin", "kierownik", "ustawa", "opłata", "umowa", "zgoda"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=1000)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--commits", type=int, default=12)
    asked = parser.parse_args()
    for place in (of_git, of_webdav):
        for reread in (True, False):
            with TemporaryDirectory() as home, place(Path(home), asked.items) as (source, rename, requests):
                tell(
                    place=place.__name__[3:],
                    items=asked.items,
                    reread=reread,
                    **moved(source, rename, requests, reread),
                )
    for history in ("0", "10"):
        with TemporaryDirectory() as home, GitServer(Path(home)) as server:
            for number in range(asked.commits):
                day = date(2024, 1, 1) + timedelta(days=7 * number)
                texts = {f"{file}.md": text_of(file, number, 2000) for file in range(asked.files)}
                server.commit(texts, on=day.isoformat())
            tell(files=asked.files, commits=asked.commits, history=history, **remembered(server, history))


def moved(source: Source, rename: Callable[[], None], requests: list[Any], reread: bool) -> dict[str, Any]:
    synchronise(source)
    before = set(Document.objects.values_list("pk", flat=True))
    rename()
    asked = len(requests)
    with patch.object(Moves, "unread", lambda self, items: {}) if reread else patch.object(Moves, "__doc__", ""):
        spent = spending(lambda: synchronise(source))
    same = before == set(Document.objects.values_list("pk", flat=True))
    return {"cpu_s": spent, "requests": len(requests) - asked, "same_documents": same, **last_counts(source)}


def remembered(server: GitServer, history: str) -> dict[str, Any]:
    source = new_source("git", server.location, TOKEN, history=history)
    received = [0]
    count = GuardedGitClient._counting

    def counted(client: GuardedGitClient, read: Callable[[int], bytes]) -> Callable[[int], bytes]:
        def told(size: int) -> bytes:
            piece = read(size)
            received[0] += len(piece)
            return piece

        return count(client, told)

    with patch.object(GuardedGitClient, "_counting", counted):
        reading = spending(lambda: synchronise(source))
    indexing = spending(index_all)
    versions = DocumentVersion.objects.filter(document__source=source).count()
    return {"sync_cpu_s": reading, "index_cpu_s": indexing, "received_kb": received[0] // 1000, "versions": versions}


@contextmanager
def of_git(home: Path, items: int) -> Iterator[tuple[Source, Callable[[], None], list[Any]]]:
    with GitServer(home) as server:
        server.commit({f"kadry/{number}.txt": text_of(number, 0, 20_000) for number in range(items)})
        source = new_source("git", server.location, TOKEN, history="0")
        yield source, lambda: server.move("kadry", "archiwum"), server.requests


@contextmanager
def of_webdav(home: Path, items: int) -> Iterator[tuple[Source, Callable[[], None], list[Any]]]:
    folder = home / "dysk"
    (folder / "kadry").mkdir(parents=True)
    for number in range(items):
        (folder / "kadry" / f"{number}.txt").write_bytes(text_of(number, 0, 20_000))
    with WebDAVServer(folder, numbers=True) as server:
        source = new_source("webdav", server.location, PASSWORD, user=ACCOUNT)
        yield source, lambda: (folder / "kadry").rename(folder / "archiwum") and None, server.requests


def new_source(kind: str, location: str, secret: str, **options: str) -> Source:
    collection, _made = Collection.objects.get_or_create(slug="pomiar", defaults={"name": "Pomiar"})
    Document.objects.filter(collection=collection).delete()
    source = Source(
        collection=collection, kind=kind, name=kind, location=location, options=options, networks=["127.0.0.0/8"],
        mirror_rights=False,
    )  # fmt: skip
    keep_secret(source, secret)
    source.save()
    return source


def synchronise(source: Source) -> None:
    source.refresh_from_db()
    job = start_sync(source=source, queue=False)
    while job.status in (Job.Status.QUEUED, Job.Status.RUNNING):
        run_job(str(job.pk))
        job.refresh_from_db()


def index_all() -> None:
    for job in Job.objects.filter(kind=Job.Kind.INDEX_DOCUMENT, status=Job.Status.QUEUED):
        run_job(str(job.pk))


def last_counts(source: Source) -> dict[str, int]:
    counts = SyncReport.objects.filter(source=source).latest("pk").counts
    return {name: number for name, number in counts.items() if number and name != "reasons"}


def text_of(file: int, number: int, size: int) -> bytes:
    """Another paragraph of ten for each commit, as people change texts."""
    drawn = [random.Random(f"{file} {part} {number if part == number % 10 else 0}") for part in range(10)]
    parts = (" ".join(one.choice(WORDS) + str(one.randrange(99)) for _word in range(size // 80)) for one in drawn)
    return (f"# Pismo {file}\n\n" + "\n\n".join(parts) + "\n").encode()


def spending(act: Callable[[], None]) -> float:
    before = os.times()
    act()
    after = os.times()
    return round(sum(after[:4]) - sum(before[:4]), 1)


def tell(**measured: Any) -> None:
    print(json.dumps(measured), flush=True)


if __name__ == "__main__":
    main()
