"""The connection ends in the middle of a COPY: the job waits, and the next attempt finishes the document."""

from collections.abc import Iterator

import pytest
from django.db import connection

from ingestion.jobs import run_job
from ingestion.models import Chunk, Collection, Document, Job
from ingestion.services.documents import add_document

COPIED = [
    "ingestion_posting",
    "ingestion_chunkwords",
    "ingestion_chunkembedding",
    "ingestion_chunksketch",
    "ingestion_entitymention",
]


def execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


@pytest.fixture(params=COPIED)
def ended_by(request: pytest.FixtureRequest, transactional_db: None) -> Iterator[str]:
    """A table: who writes to it loses the connection, as by `pg_terminate_backend` or a restart."""
    execute("""
        CREATE FUNCTION end_connection() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NEW; END'
    """)
    execute(f"CREATE TRIGGER ending BEFORE INSERT ON {request.param} FOR EACH ROW EXECUTE FUNCTION end_connection()")
    yield request.param
    execute("DROP FUNCTION end_connection CASCADE")


def test_a_connection_that_ends_during_a_copy_loses_no_document(ended_by: str) -> None:
    collection = Collection.objects.create(name="Publiczna", slug="publiczna", visibility="public")
    text = "Jan Kowalski z firmy Budimex S.A. mówi w Krakowie o urlopach. " * 30
    document = add_document(collection=collection, name="a.txt", content=text.encode(), enqueue=False)
    job = document.jobs.get()
    run_job(str(job.pk))
    job.refresh_from_db()
    assert (job.status, job.error_code, job.failures) == ("queued", "database", 1)
    assert not Chunk.objects.exists()
    execute(f"ALTER TABLE {ended_by} DISABLE TRIGGER ending")
    Job.objects.update(due=None)
    run_job(str(job.pk))
    document.refresh_from_db()
    assert (document.status, document.error_code) == (Document.Status.READY, "")
    assert Chunk.objects.count() == document.chunk_count > 0
