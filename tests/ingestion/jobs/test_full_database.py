"""The disk of PostgreSQL is full: the job waits, nothing half is kept, and with room it goes on by itself."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingestion.jobs import run_job
from ingestion.models import Chunk, Collection, Document, Job, Posting
from ingestion.services.documents import add_document
from tests.small_disk import make_room, tables_on_small_disk


@pytest.fixture(params=["ingestion_extraction", "ingestion_posting"])
def disk(request: pytest.FixtureRequest, transactional_db: None) -> Iterator[Path]:
    """The extracted texts, or the postings, which come by COPY, on a disk of their own."""
    with tables_on_small_disk(request.param) as folder:
        yield folder


@pytest.mark.slow
def test_a_full_disk_of_the_database_is_waited_for(disk: Path) -> None:
    letters = random.Random(7)
    vocabulary = ["".join(letters.choices("abcdefghijklmnoprstuwyz", k=9)) for _ in range(300)]
    words = letters.choices(vocabulary, k=40_000)
    collection = Collection.objects.create(name="Publiczna", slug="publiczna", visibility="public")
    document = add_document(collection=collection, name="a.txt", content=" ".join(words).encode(), enqueue=False)
    run_job(str(document.jobs.get().pk))
    job = Job.objects.get()
    assert (job.status, job.error_code, job.failures) == ("queued", "database", 1)
    assert not Chunk.objects.exists()
    assert not Posting.objects.exists()
    make_room(disk)
    Job.objects.update(due=None)
    run_job(str(job.pk))
    document.refresh_from_db()
    assert (document.status, document.error_code) == (Document.Status.READY, "")
    assert Chunk.objects.count() == document.chunk_count > 0
