"""The disk of PostgreSQL is full: the job waits, nothing half is kept, and with room it goes on by itself."""

import os
import random
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection

from ingestion.jobs import run_job
from ingestion.models import Chunk, Collection, Document, Job, Posting
from ingestion.services.documents import add_document


def execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.fixture(params=["ingestion_extraction", "ingestion_posting"])
def small_disk(request: pytest.FixtureRequest, transactional_db: None) -> Iterator[Path]:
    """The extracted texts, or the postings, which come by COPY, on a disk of their own, of 128 kB."""
    folder = Path(tempfile.mkdtemp(prefix="knowledgetree-"))  # not below tmp_path, which is closed to the server's user
    folder.chmod(0o755)
    command = ["mount", "-t", "tmpfs", "-o", "size=128k", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(command, check=False, capture_output=True).returncode:
        folder.rmdir()
        pytest.skip("only root may mount a small disk, and not everywhere")
    try:
        with connection.cursor() as cursor:
            cursor.execute("SHOW data_directory")
            server = Path(str(cursor.fetchone()[0]))
        place = folder / "space"
        place.mkdir(mode=0o700)
        shutil.chown(place, server.stat().st_uid)
        execute(f"TRUNCATE {request.param} CASCADE")  # what other tests rolled back still takes room
        execute(f"CREATE TABLESPACE kt_small LOCATION '{place}'")
        execute(f"ALTER TABLE {request.param} SET TABLESPACE kt_small")
        yield folder
        execute(f"ALTER TABLE {request.param} SET TABLESPACE pg_default")
        execute("DROP TABLESPACE kt_small")
    finally:
        subprocess.run(["umount", str(folder)], check=True)
        folder.rmdir()


def test_a_full_disk_of_the_database_is_waited_for(small_disk: Path) -> None:
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
    subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
    Job.objects.update(due=None)
    run_job(str(job.pk))
    document.refresh_from_db()
    assert (document.status, document.error_code) == (Document.Status.READY, "")
    assert Chunk.objects.count() == document.chunk_count > 0
