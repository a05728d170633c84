"""A place of another program that fails in the middle of a synchronisation: nothing is lost, nothing comes twice."""

import time
from datetime import timedelta
from itertools import count

import pytest
from django.utils import timezone
from pytest_django import Settings

from ingestion.jobs import recover_jobs, run_job
from ingestion.models import Collection, Document, DocumentVersion, Job, Source, SourceAddress, SyncReport
from ingestion.services.sources import start_sync
from tests.ingestion.syncing.conftest import Sync, drive_source
from tests.ingestion.syncing.worker_process import start_worker
from tests.installation import wait_until
from tests.small_disk import fill, make_room, small_disk
from tests.webdav_server import WebDAVServer

FILES = 25


def put_files(server: WebDAVServer, *, size: int = 0) -> None:
    for number in range(FILES - 2):
        (server.folder / f"{number:02}.txt").write_text(f"plik {number} {'x' * size}")


@pytest.mark.slow
def test_a_killed_worker_loses_nothing_and_nothing_comes_twice(transactional_db: None, server: WebDAVServer) -> None:
    put_files(server)
    source = drive_source(server, Collection.objects.create(name="Publiczna", slug="publiczna", visibility="public"))
    server.answer = lambda method, path: time.sleep(0.1) if method == "GET" else None
    job = start_sync(source=source, queue=False)
    process = start_worker(job)
    try:
        wait_until(lambda: Document.objects.count() >= 8 or process.poll() is not None, seconds=60)
    finally:
        process.kill()
        process.wait()
    assert 8 <= Document.objects.count() < FILES
    server.answer = lambda method, path: None
    Job.objects.filter(pk=job.pk).update(heartbeat=timezone.now() - timedelta(hours=1))
    assert recover_jobs() >= 1
    run_job(str(job.pk))
    job.refresh_from_db()
    report = SyncReport.objects.get()
    assert (job.status, report.status, report.counts["new"]) == ("succeeded", "succeeded", FILES)
    assert Document.objects.count() == SourceAddress.objects.count() == FILES
    assert DocumentVersion.objects.count() == FILES
    assert server.counted("GET") <= FILES + 1  # the one that was being read when it was killed


@pytest.mark.django_db
def test_an_expired_password_loses_nothing_and_doubles_nothing(
    source: Source, server: WebDAVServer, sync: Sync
) -> None:
    put_files(server)
    read = count(1)
    server.answer = lambda method, path: ("401 X", [], b"") if method == "GET" and next(read) > 5 else None
    report = sync(source)
    assert (report.counts["new"], report.counts["failed"], report.counts["gone"]) == (5, 10, 0)
    server.answer = lambda method, path: None
    assert sync(source).counts["new"] == FILES - 5
    assert Document.objects.count() == FILES


@pytest.mark.django_db
def test_a_place_that_refuses_the_account_altogether_leaves_everything(
    source: Source, server: WebDAVServer, sync: Sync
) -> None:
    sync(source)
    server.answer = lambda method, path: ("401 X", [], b"")
    assert sync(source).status == "failed"
    assert set(SourceAddress.objects.values_list("state", flat=True)) == {"current"}


@pytest.mark.django_db
def test_a_disk_that_fills_up_midway_loses_nothing(
    source: Source, server: WebDAVServer, sync: Sync, settings: Settings
) -> None:
    put_files(server, size=9000)
    settings.RAG = {**settings.RAG, "ingestion": {**settings.RAG["ingestion"], "max_retries": 0}}
    with small_disk() as disk:
        settings.MEDIA_ROOT = str(disk)
        report = sync(source)
        kept = Document.objects.count()
        assert 2 <= kept < FILES
        assert (report.counts["new"], report.counts["gone"]) == (kept, 0)
        assert report.counts["failed"]
        fill(disk)
        assert sync(source).counts["new"] == 0
        (disk / "filler").unlink()
        make_room(disk)
        assert sync(source).counts["new"] == FILES - kept
    assert Document.objects.count() == FILES
