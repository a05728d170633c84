"""What a page of the library costs with 10,000 documents of 100 passages, a tenth of them with readers of their own.

    VAR_DIR=/var/tmp/library python benchmarks/library_speed.py [--plans 20] [--passages 2]

Makes the documents by SQL in an empty database (texts of one sentence: pages show none), then opens pages of the
library, the administration and the API by Django's test client, as a reader and as an administrator. Prints processor
time of this process, all time and time in statements; `--plans N` explains each statement that takes N ms or more.
"""

import argparse
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")
os.environ.setdefault("ALLOWED_HOSTS", "testserver")

import django

django.setup()

from django.contrib.auth.models import Group, User  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402
from django.test import Client  # noqa: E402

from ingestion.models import Collection, Document, Readership  # noqa: E402

DOCUMENTS, ROUNDS = 10_000, 9

_DOCUMENTS = """
INSERT INTO ingestion_document (collection_id, title, uri, file, file_name, media_type, checksum, size, language,
    category, tags, version, metadata, status, error_code, error_message, warnings, chunk_count, created, modified,
    indexed, edited, chunking, names_version, given, readership_id)
SELECT %(collection)s,
    'Uchwała nr ' || n || ' w sprawie ' || (ARRAY['budżetu','dróg','szkół','opłat','zieleni'])[n %% 5 + 1],
    'akt/' || n || '.pdf', '', n || '.pdf', 'application/pdf', md5(n::text), 100000, 'pl', 'kategoria ' || n %% 12,
    ARRAY['rok ' || 2000 + n %% 25, 'wydział ' || n %% 17], '', '{}', 'ready', '', '', '[]', %(passages)s,
    now() - n * interval '1 hour', now() - n * interval '1 hour', now(), '{}', '{}', 1, '{}',
    CASE WHEN n %% 10 = 0 THEN (%(readerships)s::bigint[])[n / 10 %% 4 + 1] END
FROM generate_series(1, %(documents)s) AS n
"""
_EXTRACTIONS = """
INSERT INTO ingestion_extraction (extractor, text, page_starts, created, document_id, checksum)
SELECT 'pdf', 'tekst', '{}', now(), id, checksum FROM ingestion_document
"""
_CHUNKS = """
INSERT INTO ingestion_chunk (ordinal, kind, text, start, "end", line_start, line_end, heading_path, context_before,
    context_after, enabled, retrieval_quality, collection_id, document_id, extraction_id, original_text)
SELECT n, 'text', 'Fragment ' || n || ' dokumentu ' || e.document_id, 0, 10, 1, 1, ARRAY['Rozdział ' || n / 10], '', '',
    true, '', %(collection)s, e.document_id, e.id, ''
FROM ingestion_extraction e, generate_series(0, %(passages)s - 1) AS n
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plans", type=float, default=0, help="explain statements that take so many ms")
    parser.add_argument("--passages", type=int, default=100, help="of a document")
    arguments = parser.parse_args()
    call_command("migrate", verbosity=0)
    collection, _ = Collection.objects.get_or_create(
        slug="uchwaly", defaults={"name": "Uchwały", "visibility": "restricted"}
    )
    reader, admin = people(collection)
    if not Document.objects.exists():
        fill(collection, arguments.passages)
    pages = library(collection, reader) | administration(admin)
    print(f"{'':34}{'processor':>12}{'all':>8}{'SQL':>8}{'statements':>12}   [ms, median of {ROUNDS}]")
    for name, (client, address) in pages.items():
        print(measured(name, client, address, arguments.plans), flush=True)


def people(collection: Collection) -> tuple[User, User]:
    group, _ = Group.objects.get_or_create(name="czytelnicy uchwał")
    collection.groups.add(group)
    reader, _ = User.objects.get_or_create(username="czytelnik")
    reader.groups.add(group)
    admin, _ = User.objects.get_or_create(username="administrator", is_staff=True, is_superuser=True)
    return reader, admin


def fill(collection: Collection, passages: int) -> None:
    readerships = [Readership.objects.create(digest=f"{n:064}") for n in range(4)]
    readerships[0].groups.add(*collection.groups.all())
    values = {
        "collection": collection.pk,
        "documents": DOCUMENTS,
        "passages": passages,
        "readerships": [row.pk for row in readerships],
    }
    with connection.cursor() as cursor:
        for statement in (_DOCUMENTS, _EXTRACTIONS, _CHUNKS):
            cursor.execute(statement, values)
        cursor.execute("VACUUM ANALYZE")


def library(collection: Collection, reader: User) -> dict[str, tuple[Client, str]]:
    client = Client()
    client.force_login(reader)
    address = f"/library/{collection.slug}/"
    some = Document.objects.filter(readership=None).order_by("-pk")[0]
    return {
        "library": (client, "/library/"),
        "collection, by title": (client, address),
        "collection, newest": (client, f"{address}?order=newest"),
        "collection, in force": (client, f"{address}?order=in_force"),
        "collection, page 40": (client, f"{address}?page=40"),
        "collection, by words": (client, f"{address}?q=opłaty"),
        "document": (client, f"/documents/{some.pk}/"),
        "API, documents": (client, f"/api/documents?collection={collection.slug}"),
        "API, documents, page 40": (client, f"/api/documents?collection={collection.slug}&page=40"),
        "API, chunks of a document": (client, f"/api/documents/{some.pk}/chunks"),
    }


def administration(admin: User) -> dict[str, tuple[Client, str]]:
    client = Client()
    client.force_login(admin)
    some = Document.objects.order_by("-pk")[0]
    return {
        "admin, start": (client, "/admin/"),
        "admin, documents": (client, "/admin/ingestion/document/"),
        "admin, documents, page 40": (client, "/admin/ingestion/document/?p=40"),
        "admin, documents, by words": (client, "/admin/ingestion/document/?q=opłat"),
        "admin, document": (client, f"/admin/ingestion/document/{some.pk}/change/"),
        "admin, chunks": (client, "/admin/ingestion/chunk/"),
        "admin, chunks of a document": (client, f"/admin/ingestion/chunk/?document__id__exact={some.pk}"),
        "admin, collections": (client, "/admin/ingestion/collection/"),
    }


def measured(name: str, client: Client, address: str, plans: float) -> str:
    client.get(address)
    processor, all_, sql, number = [], [], [], 0
    slow: dict[str, tuple[float, Any]] = {}
    for _ in range(ROUNDS):
        with statements() as taken:
            started, used = time.perf_counter(), time.process_time()
            response = client.get(address)
            all_.append(1000 * (time.perf_counter() - started))
            processor.append(1000 * (time.process_time() - used))
        sql.append(sum(milliseconds for milliseconds, _, _ in taken))
        number = len(taken)
        for milliseconds, statement, parameters in taken:
            if plans and milliseconds >= plans:
                slow[statement] = (milliseconds, parameters)
    if response.status_code != 200:
        name = f"{name} ({response.status_code})"
    for statement, (milliseconds, parameters) in slow.items():
        explain(statement, parameters, milliseconds)
    medians = [statistics.median(values) for values in (processor, all_, sql)]
    return f"{name:34}{medians[0]:>12.1f}{medians[1]:>8.1f}{medians[2]:>8.1f}{number:>12}"


@contextmanager
def statements() -> Iterator[list[tuple[float, str, Any]]]:
    taken: list[tuple[float, str, Any]] = []

    def note(execute: Callable[..., Any], sql: str, parameters: Any, many: bool, context: Any) -> Any:
        started = time.perf_counter()
        try:
            return execute(sql, parameters, many, context)
        finally:
            taken.append((1000 * (time.perf_counter() - started), sql, parameters))

    with connection.execute_wrapper(note):
        yield taken


def explain(statement: str, parameters: Any, milliseconds: float) -> None:
    print(f"--- {milliseconds:.0f} ms: {statement[:1500]}")
    if statement.startswith(("SELECT", "WITH")):
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS OFF, TIMING OFF) {statement}", parameters)
            print(*[f"    {line}" for (line,) in cursor.fetchall()], sep="\n")


if __name__ == "__main__":
    main()
