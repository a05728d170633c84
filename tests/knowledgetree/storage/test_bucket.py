"""Originals in a bucket: the same as in a folder, in pieces, and with words where the store is away."""

import io
import os
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.core.files.base import ContentFile, File
from django.core.files.storage import default_storage
from django.test import AsyncClient
from django.utils import timezone

from ingestion.errors import StorageFailed
from ingestion.jobs import run_job
from ingestion.models import Collection, Document, Job
from ingestion.services.documents import add_document
from ingestion.services.erasure import erase_document
from ingestion.services.files.originals import forget_orphans, store_original
from knowledgetree.storage.environment import S3Settings, storages_of
from knowledgetree.storage.reachability import bucket_serves
from tests.bucket import store_with_bucket
from tests.conftest import index_in_job

TEXT = b"Urlop wypoczynkowy trwa 26 dni.\n" + b" " * 1_500_000  # more than is ever held


@pytest.fixture(scope="module")
def store() -> Iterator[S3Settings]:
    with store_with_bucket() as s3:
        yield s3


@pytest.fixture
def bucket(store: S3Settings, settings: Any, request: pytest.FixtureRequest) -> S3Settings:
    own = replace(store, prefix=request.node.name)
    settings.S3, settings.STORAGES = own, storages_of(own, backups="")
    return own


def downloaded(document: Document, **headers: str) -> tuple[int, bytes]:
    @async_to_sync
    async def ask() -> tuple[int, bytes]:
        client = AsyncClient(raise_request_exception=False)
        response: Any = await client.get(f"/documents/{document.pk}/original/", headers=headers)
        if not response.streaming:
            return response.status_code, response.content
        return response.status_code, b"".join([piece async for piece in response.streaming_content])

    return ask()


def index_waiting(document: Document) -> Job:
    job = document.jobs.get()
    run_job(str(job.pk))
    job.refresh_from_db()
    return job


class Watched(io.BytesIO):
    """Remembers the most that was asked of it at once."""

    most = 0

    def read(self, size: int | None = -1) -> bytes:
        piece = super().read(size)
        self.most = max(self.most, len(piece))
        return piece


def test_what_was_written_is_read_from_any_place(bucket: S3Settings) -> None:
    name = default_storage.save("proba/jeden", ContentFile(b"0123456789"))
    with default_storage.open(name) as file:
        assert file.size == 10
        assert file.read(3) == b"012"
        file.seek(7)
        assert file.read() == b"789"
        file.seek(-4, os.SEEK_END)
        assert file.read(2) == b"67"
    assert default_storage.listdir("proba") == ([], ["jeden"])
    default_storage.delete(name)
    assert not default_storage.exists(name)
    with pytest.raises(FileNotFoundError):
        default_storage.open(name)


def test_a_large_file_goes_in_pieces(bucket: S3Settings) -> None:
    content = Watched(os.urandom(20 * 2**20))
    name = default_storage.save("proba/duzy", File(content, name="duzy"))
    assert content.most <= 8 * 2**20
    with default_storage.open(name) as file:
        assert b"".join(file.chunks()) == content.getvalue()


@pytest.mark.django_db
def test_a_document_comes_is_read_taken_away_and_erased(
    bucket: S3Settings, public: Collection, django_capture_on_commit_callbacks: Any
) -> None:
    document = index_in_job(public, TEXT)
    assert (document.status, document.error_message) == (Document.Status.READY, "")
    assert downloaded(document) == (200, TEXT)
    assert downloaded(document, Range="bytes=6-17") == (206, TEXT[6:18])
    name = str(document.file.name)
    with django_capture_on_commit_callbacks(execute=True):
        erase_document(document=document)
    assert not default_storage.exists(name)


@pytest.mark.django_db
def test_the_same_content_again_is_not_sent_again(bucket: S3Settings, public: Collection) -> None:
    document = add_document(collection=public, name="a.txt", content=TEXT, enqueue=False)
    other = add_document(collection=public, name="b.txt", content=TEXT, enqueue=False)
    assert other.file.name == document.file.name


@pytest.mark.django_db
def test_a_night_deletes_the_originals_that_no_row_has(
    bucket: S3Settings, public: Collection, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = add_document(collection=public, name="a.txt", content=TEXT, enqueue=False).file.name or ""
    orphan = store_original("ab" * 32, ContentFile(b"x"))
    assert forget_orphans() == 0  # it may be on its way
    later = timezone.now() + timedelta(days=2)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert forget_orphans() == 1
    assert (default_storage.exists(kept), default_storage.exists(orphan)) == (True, False)


@pytest.mark.django_db
def test_where_the_store_is_away_nothing_is_taken_in_and_what_is_there_waits(
    bucket: S3Settings, public: Collection, settings: Any
) -> None:
    ready = index_in_job(public, TEXT)
    document = add_document(collection=public, name="a.txt", content=b"Czekam.", enqueue=False)
    settings.STORAGES = storages_of(replace(bucket, endpoint="http://127.0.0.1:9"), backups="")
    with pytest.raises(StorageFailed) as refused:
        add_document(collection=public, name="b.txt", content=b"Nowy dokument.", enqueue=False)
    assert "doctor" in str(refused.value)
    assert Document.objects.count() == 2
    waiting = index_waiting(document)
    assert (waiting.status, waiting.error_code) == (Job.Status.QUEUED, "storage")
    assert downloaded(ready)[0] == 503
    settings.STORAGES = storages_of(bucket, backups="")
    Job.objects.update(due=None)
    assert index_waiting(document).status == Job.Status.SUCCEEDED


@pytest.mark.django_db
def test_doctor_says_what_to_do(bucket: S3Settings, settings: Any) -> None:
    assert bucket_serves().well is True
    settings.S3 = replace(bucket, bucket="inny")
    settings.STORAGES = storages_of(settings.S3, backups="")
    missing = bucket_serves()
    assert (missing.well, "S3_BUCKET" in missing.remedy) == (False, True)
    settings.S3 = replace(bucket, endpoint="http://127.0.0.1:9")
    settings.STORAGES = storages_of(settings.S3, backups="")
    away = bucket_serves()
    assert (away.well, "S3_ENDPOINT" in away.remedy) == (False, True)
