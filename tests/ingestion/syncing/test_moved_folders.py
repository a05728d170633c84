"""A folder that is renamed at its place, through the real job: the documents go along unread, with all that hangs on
them.
"""

import io
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingestion.jobs import run_job
from ingestion.models import Chunk, Collection, Document, DocumentVersion, Job, Source, SourceAddress, SyncReport
from ingestion.services.documents import add_document, delete_document
from ingestion.services.sources import start_sync
from tests.ingestion.syncing.conftest import Sync, drive_source
from tests.webdav_server import WebDAVServer


@pytest.fixture
def cloud(tmp_path: Path) -> Iterator[WebDAVServer]:
    folder = tmp_path / "chmura"
    (folder / "kadry").mkdir(parents=True)
    (folder / "kadry" / "urlopy.txt").write_text("Urlop trwa 26 dni.")
    (folder / "kadry" / "delegacje.txt").write_text("Dieta wynosi 45 zł.")
    with WebDAVServer(folder, numbers=True) as opened:
        yield opened


@pytest.fixture
def source(public: Collection, cloud: WebDAVServer) -> Source:
    return drive_source(cloud, public)


def index_all() -> int:
    jobs = list(Job.objects.filter(kind="index_document", status="queued"))
    for job in jobs:
        run_job(str(job.pk))
    return len(jobs)


def named(end: str) -> Document:
    return Document.objects.get(uri__endswith=end)


def move(cloud: WebDAVServer, path: str, to: str) -> None:
    (cloud.folder / path).rename(cloud.folder / to)


def test_its_documents_stay_and_nothing_is_read_or_indexed(source: Source, cloud: WebDAVServer, sync: Sync) -> None:
    sync(source)
    index_all()
    before = list(Document.objects.order_by("pk").values_list("pk", "uri", "modified", "indexed"))
    chunks = set(Chunk.objects.values_list("pk", flat=True))
    read = cloud.counted("GET")
    move(cloud, "kadry", "archiwum")
    tried = start_sync(source=source, queue=False, dry=True)
    run_job(str(tried.pk))
    assert SyncReport.objects.get(job=tried).counts == {
        **dict.fromkeys(("new", "restored", "gone", "failed", "skipped", "unchanged"), 0), "changed": 2, "reasons": {}
    }  # fmt: skip
    report = sync(source)
    assert {(entry["uri"], entry["detail"]) for entry in report.lists["changed"]} == {
        (uri.replace("/kadry/", "/archiwum/"), uri) for _pk, uri, _modified, _indexed in before
    }
    assert (report.counts["changed"], report.counts["gone"], cloud.counted("GET"), index_all()) == (2, 0, read, 0)
    after = [(pk, uri.replace("/kadry/", "/archiwum/"), *times) for pk, uri, *times in before]
    assert list(Document.objects.order_by("pk").values_list("pk", "uri", "modified", "indexed")) == after
    assert set(Chunk.objects.values_list("pk", flat=True)) == chunks
    assert (DocumentVersion.objects.count(), SourceAddress.objects.count()) == (2, 2)
    assert sync(source).counts["unchanged"] == 2


def test_a_file_of_another_name_is_read_again_from_what_is_kept(
    source: Source, cloud: WebDAVServer, sync: Sync
) -> None:
    sync(source)
    index_all()
    before, read = named("/urlopy.txt"), cloud.counted("GET")
    move(cloud, "kadry/urlopy.txt", "kadry/urlopy wypoczynkowe.txt")
    sync(source)
    assert (cloud.counted("GET"), index_all()) == (read, 1)
    after = named("/urlopy wypoczynkowe.txt")
    assert (after.pk, after.file_name, after.title) == (before.pk, "urlopy wypoczynkowe.txt", "urlopy wypoczynkowe")
    assert after.versions.count() == 1


def test_what_an_editor_deleted_stays_away(source: Source, cloud: WebDAVServer, sync: Sync) -> None:
    sync(source)
    delete_document(document=named("/urlopy.txt"))
    move(cloud, "kadry", "archiwum")
    for _ in range(2):
        assert sync(source).counts["reasons"] == {"deleted": 1}
    assert [one.uri for one in Document.objects.all()] == [f"{source.location}archiwum/delegacje.txt"]


def test_where_another_document_stands_it_is_read_and_nothing_is_lost(
    source: Source, cloud: WebDAVServer, sync: Sync
) -> None:
    sync(source)
    place = f"{source.location}archiwum/urlopy.txt"
    mine = add_document(collection=source.collection, name="urlopy.txt", content=b"Ktos dodal", uri=place)
    move(cloud, "kadry", "archiwum")
    sync(source)
    document = Document.objects.get(uri=place)
    assert (document.pk, document.source, document.file.read().decode()) == (mine.pk, source, "Urlop trwa 26 dni.")
    assert sync(source).counts["unchanged"] == 2


def test_an_archive_takes_along_what_is_in_it(source: Source, cloud: WebDAVServer, sync: Sync) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(3):
            archive.writestr(f"akta/{number}.txt", f"Akt {number}.")
    (cloud.folder / "kadry" / "akta.zip").write_bytes(packed.getvalue())
    assert sync(source).counts["new"] == 5
    before, read = set(Document.objects.values_list("pk", flat=True)), cloud.counted("GET")
    move(cloud, "kadry", "archiwum")
    report = sync(source)
    assert (report.counts["changed"], report.counts["gone"], cloud.counted("GET")) == (5, 0, read)
    assert set(Document.objects.values_list("pk", flat=True)) == before
    assert Document.objects.filter(uri__contains="/archiwum/akta.zip!akta/").count() == 3
    assert sync(source).counts["unchanged"] == 5
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("akta/0.txt", "Akt zero.")
        archive.writestr("akta/1.txt", "Akt 1.")
    move(cloud, "archiwum/akta.zip", "akta.zip")
    (cloud.folder / "akta.zip").write_bytes(packed.getvalue())
    report = sync(source)
    assert (report.counts["changed"], report.counts["new"], report.counts["gone"]) == (2, 0, 1)
    assert set(Document.objects.values_list("pk", flat=True)) == before


class TestOnThisServer:
    """A folder of the server, where the disk numbers its files."""

    def test_a_renamed_folder_is_not_read(self, folder_source: Source, folder: Path, sync: Sync) -> None:
        for name in ("a", "b"):
            (folder / "wzory" / name).mkdir(parents=True)
            (folder / "wzory" / name / "pusty.txt").write_text("formularz")
        assert sync(folder_source).counts["new"] == 4
        index_all()
        before = set(Document.objects.values_list("pk", flat=True))
        (folder / "wzory").rename(folder / "formularze")
        for file in (folder / "formularze").rglob("*.txt"):  # whoever opened them would see another content
            times = file.stat()
            file.write_text("FORMULARZ")
            os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
        report = sync(folder_source)
        assert [report.counts[one] for one in ("changed", "new", "gone", "failed", "unchanged")] == [2, 0, 0, 0, 2]
        assert {entry["detail"].rpartition("/wzory/")[2] for entry in report.lists["changed"]} == {
            "a/pusty.txt", "b/pusty.txt"
        }  # fmt: skip
        assert set(Document.objects.values_list("pk", flat=True)) == before
        moved = Document.objects.filter(uri__contains="/formularze/")
        assert (index_all(), [one.file.read() for one in moved]) == (0, [b"formularz"] * 2)

    def test_what_was_copied_and_deleted_is_known_by_its_content(
        self, folder_source: Source, folder: Path, sync: Sync
    ) -> None:
        sync(folder_source)
        before = named("/urlopy.txt")
        (folder / "nowe").mkdir()
        (folder / "nowe" / "urlopy.txt").write_text((folder / "urlopy.txt").read_text())
        (folder / "urlopy.txt").unlink()
        report = sync(folder_source)
        assert (report.counts["changed"], report.counts["new"], report.counts["gone"]) == (1, 0, 0)
        assert named("/nowe/urlopy.txt").pk == before.pk
