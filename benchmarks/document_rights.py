"""What rights per document cost a search: documents of one chunk each, read by members of 1, 20 and 500 groups
who may read 1 %, 10 %, 50 % and 99 % of them, against the same searches of somebody for whom no rights are asked.

    python benchmarks/document_rights.py --chunks ../shared/data/loadtest/chunks_100k.jsonl.gz \
        --questions ../shared/data/retrieval/{poquad,prawo}/queries.jsonl

Processor time is that of this process and of its PostgreSQL backend together. Each question is asked by both, now by
one first and now by the other, so that a busy machine is busy for both. Uses the database of the settings; give it one
of its own (VAR_DIR=/tmp/benchmark). A second run finds the index there.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from django.contrib.auth.models import Group, User  # noqa: E402
from django.core.cache import caches  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from lexical_speed import read_chunks, read_questions  # noqa: E402

from ingestion.index.packing import pack_postings  # noqa: E402
from ingestion.models import Collection, Readership  # noqa: E402
from ingestion.services.corpora import index_corpus  # noqa: E402
from knowledgetree.conf import rag_settings  # noqa: E402
from rag.presets import preset  # noqa: E402
from rag.search.retriever import HybridRetriever  # noqa: E402
from rag.selectors.scope import clearance_in  # noqa: E402
from rag.types import Filters  # noqa: E402

GROUPS = 500
MEMBERSHIPS = (1, 20, GROUPS)
SHARES = (1, 10, 50, 99)  # per cent
TOP = 10
# Which documents are whose is the same in every run; 7919 is a prime.
ASSIGN = """
UPDATE ingestion_document SET readership_id = CASE
    WHEN id * 7919 %% 100 < %(share)s THEN (%(own)s::bigint[])[1 + id %% %(owned)s]
    ELSE (%(others)s::bigint[])[1 + id %% %(strange)s] END
WHERE collection_id = %(collection)s
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=Path, required=True)
    parser.add_argument("--questions", type=Path, nargs="+", required=True)
    parser.add_argument("--limit", type=int, default=100_000)
    parser.add_argument("--groups", type=int, choices=MEMBERSHIPS, help="a member of so many groups alone")
    parser.add_argument("--share", type=int, choices=SHARES, help="this share alone: each takes a minute or two")
    arguments = parser.parse_args()
    call_command("migrate", verbosity=0)
    collection, _ = Collection.objects.get_or_create(
        slug="loadtest", defaults={"name": "Test obciążenia", "visibility": Collection.Visibility.INTERNAL}
    )
    if index_corpus(collection=collection, entries=read_chunks(arguments.chunks, arguments.limit)).chunks:
        pack_postings()
    questions = read_questions(arguments.questions)
    readers, strangers = people()
    readers = {count: reader for count, reader in readers.items() if arguments.groups in (None, count)}
    everybody, _ = User.objects.get_or_create(username="everything", defaults={"is_superuser": True})
    for share in [arguments.share] if arguments.share else SHARES:
        for count, reader in readers.items():
            assign(collection, share, sets(reader), sets(strangers))
            free, after = measured(collection, (everybody, reader), questions)
            print(f"{count:3} groups, reads {share:2} %: {line(free)} without rights, {line(after)} with them, "
                  f"{after[0] / free[0] - 1:+.0%} processor", flush=True)  # fmt: skip


def people() -> tuple[dict[int, User], User]:
    """A reader for each number of groups, and somebody who is in as many others."""
    accounts = {count: User.objects.get_or_create(username=f"reader{count}")[0] for count in MEMBERSHIPS}
    strangers = User.objects.get_or_create(username="strangers")[0]
    for count, account in [*accounts.items(), (GROUPS, strangers)]:
        named = account.username if account == strangers else "group"
        chosen = [Group.objects.get_or_create(name=f"{named} {number}")[0] for number in range(count)]
        account.groups.set(chosen)
    return accounts, strangers


def sets(account: User) -> list[int]:
    """One set of readers a group."""
    keys = []
    for group in account.groups.order_by("pk"):
        row, is_new = Readership.objects.get_or_create(digest=f"benchmark {group.pk}")
        if is_new:
            row.groups.set([group])
        keys.append(row.pk)
    return keys


def assign(collection: Collection, share: int, own: list[int], others: list[int]) -> None:
    connection.close()  # else the trigger on documents keeps the plan that it made for a few of them
    values = {"share": share, "own": own, "owned": len(own), "others": others, "strange": len(others)}
    with connection.cursor() as cursor:
        cursor.execute(ASSIGN, values | {"collection": collection.pk})
    vacuum()


def vacuum() -> None:
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE ingestion_document")


def measured(collection: Collection, viewers: tuple[User, User], questions: list[str]) -> list[tuple[float, float]]:
    """Of each viewer, milliseconds of a search, the median: of processors, and on the wall. Rights included."""
    settings = rag_settings()
    kept = settings.caches.result_seconds
    retriever = HybridRetriever(preset=preset("offline"), lexical=settings.lexical, result_seconds=kept)

    def search(question: str, viewer: User) -> Any:
        clearance = clearance_in([collection], viewer)
        return retriever.retrieve(question, collections=[collection], filters=Filters(), top_k=TOP, clearance=clearance)

    for question in questions:  # so that nobody meets a word that is new to the process
        search(question, viewers[0])
    for question in questions[:20]:
        search(question, viewers[1])
    caches["results"].clear()  # every question is new, what is known of the reader's rights is not
    times: dict[User, list[tuple[float, float]]] = {viewer: [] for viewer in viewers}
    for number, question in enumerate(questions):
        for viewer in viewers[:: -1 if number % 2 else 1]:
            times[viewer].append(timed(partial(search, question, viewer)))
    return [tuple(map(statistics.median, zip(*times[viewer], strict=True))) for viewer in viewers]


def timed(work: Callable[[], Any]) -> tuple[float, float]:
    """Milliseconds of processors, and on the wall."""
    process, backend, wall = time.process_time(), backend_seconds(), time.perf_counter()
    work()
    used = time.process_time() - process + backend_seconds() - backend
    return used * 1000, (time.perf_counter() - wall) * 1000


def backend_seconds() -> float:
    """Of PostgreSQL's process for this connection, to a nanosecond."""
    return int(Path(f"/proc/{backend()}/schedstat").read_text().split()[0]) / 1e9


def backend() -> int:
    connection.ensure_connection()
    return int(connection.connection.info.backend_pid)


def line(times: tuple[float, float]) -> str:
    return f"{times[0]:.1f} ms ({times[1]:.1f} on the wall)"


if __name__ == "__main__":
    main()
