"""What a synchronisation of a place costs that has not changed, through the real job and at a real server.

    python benchmarks/unchanged_places.py [--items 10000]

Files in folders of 100, on OpenSSH (SFTP), on Samba (SMB, with the rights of each file), on WebDAV (wsgidav) and in a
Git repository behind Git's own server, all on this machine. Their documents are made without contents, for only what is
unchanged is measured. Run it in a knowledge base of its own (VAR_DIR): it leaves a collection there. Printed as a line
of JSON a place: the seconds of the first synchronisation after that and what it counted.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")

import django

django.setup()

from ingestion.jobs import run_job  # noqa: E402
from ingestion.models import Collection, Document, Source, SourceAddress, SyncReport  # noqa: E402
from ingestion.services.sources import keep_secret, start_sync  # noqa: E402
from ingestion.services.syncing.connecting import connect_source, reading_options  # noqa: E402
from ingestion.sources.connectors.protocol import ListedItem, ListingEnd  # noqa: E402
from tests import smb_server  # noqa: E402
from tests.git_server import TOKEN, GitServer  # noqa: E402
from tests.sftp_server import running_sftp  # noqa: E402
from tests.webdav_server import ACCOUNT, PASSWORD, WebDAVServer  # noqa: E402

Place = tuple[dict[str, str], str]
"""The location and settings of a source, and its secret."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=10_000)
    items = parser.parse_args().items
    collection, _made = Collection.objects.get_or_create(slug="bez-zmian", defaults={"name": "Bez zmian"})
    places: dict[str, Callable[[Path, int], AbstractContextManager[Place]]] = {
        "sftp": of_sftp, "smb": of_smb, "webdav": of_webdav, "git": of_git,
    }  # fmt: skip
    for kind, opened in places.items():
        with TemporaryDirectory() as home, opened(Path(home), items) as (options, secret):
            print(json.dumps({"kind": kind, "items": items, **measure(kind, collection, options, secret)}), flush=True)


@contextmanager
def of_sftp(home: Path, items: int) -> Iterator[Place]:
    put_files(home / "pliki", items)
    with running_sftp(home) as server:
        location = f"sftp://127.0.0.1:{server.port}{home}/pliki"
        yield {"location": location, "user": server.account, "host_key": server.fingerprint}, server.key


@contextmanager
def of_smb(home: Path, items: int) -> Iterator[Place]:
    with smb_server.running_smb(home) as server:
        put_files(server.folder, items)
        yield {"location": server.location(), "user": server.account}, smb_server.PASSWORD


@contextmanager
def of_webdav(home: Path, items: int) -> Iterator[Place]:
    put_files(home / "pliki", items)
    with WebDAVServer(home / "pliki") as server:
        yield {"location": server.location, "user": ACCOUNT}, PASSWORD


@contextmanager
def of_git(home: Path, items: int) -> Iterator[Place]:
    with GitServer(home) as server:
        server.commit(dict(files(items)))
        yield {"location": server.location}, TOKEN


def files(items: int) -> Iterator[tuple[str, bytes]]:
    return ((f"{number // 100:03}/pismo {number}.txt", f"Pismo {number}.".encode()) for number in range(items))


def put_files(folder: Path, items: int) -> None:
    for path, text in files(items):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text)


def measure(kind: str, collection: Collection, options: dict[str, str], secret: str) -> dict[str, object]:
    location = options.pop("location")
    source = Source(
        collection=collection, kind=kind, name=kind, location=location, options=options, networks=["127.0.0.0/8"],
        mirror_rights=kind == "smb",
    )  # fmt: skip
    keep_secret(source, secret)
    source.save()
    keep_listing(source)
    begun = time.perf_counter()
    job = start_sync(source=source, queue=False)
    run_job(str(job.pk))
    seconds = time.perf_counter() - begun
    report = SyncReport.objects.get(source=source)
    counts = {name: number for name, number in report.counts.items() if number and name != "reasons"}
    return {"seconds": round(seconds, 1), "status": report.status, "counts": counts}


def keep_listing(source: Source) -> None:
    """As if what is listed had been read."""
    listed = list(connect_source(source).changes(""))
    place, items = reading_options(source), [one for one in listed if isinstance(one, ListedItem)]
    documents = Document.objects.bulk_create(
        Document(collection=source.collection, source=source, uri=place.uri(one.path), title=one.path, status="ready")
        for one in items
    )
    SourceAddress.objects.bulk_create(
        SourceAddress(
            source=source,
            uri=document.uri,
            document=document,
            etag=one.version,
            identity=one.identity,
            checksum="0" * 64,
        )
        for document, one in zip(documents, items, strict=True)
    )
    Source.objects.filter(pk=source.pk).update(
        cursor=next((one.cursor for one in listed if isinstance(one, ListingEnd)), "")
    )
    source.refresh_from_db()


if __name__ == "__main__":
    main()
