"""An endpoint that fails never loses a document."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from ingestion.jobs import run_job
from ingestion.models import Chunk, ChunkEmbedding, Collection, Document, EmbeddingCacheEntry, Job
from ingestion.services.chunks import edit_chunk
from ingestion.services.documents import delete_document
from ingestion.services.jobs import retry_job
from rag.services.search import search_passages
from tests.conftest import AddDocument, index_in_job
from tests.embedding_server import BROKEN, FINE, EmbeddingServer, Reply

OLD, NEW = "Urlop trwa 26 dni.", "Urlop trwa 30 dni."


@pytest.fixture
def index(db: None) -> AddDocument:
    return index_in_job


@pytest.fixture
def server(settings: Any) -> Iterator[EmbeddingServer]:
    """The embedder of the installation is this server."""
    with EmbeddingServer() as server:
        options = {"model": "test", "url": f"{server.url}/v1", "dimension": 8, "retries": 1, "backoff": 0.01}
        http = {"backend": "ingestion.embedding.http.HTTPEmbedder", "options": options}
        components = {**settings.RAG["components"], "embedders": {"http": http}}
        settings.RAG = {**settings.RAG, "embedder": "http", "components": components}
        yield server


def last_job(document: Document) -> Job:
    return document.jobs.latest("created")


def try_now(job: Job) -> None:
    """As the queue does when the wait is over, or an editor who does not want to wait."""
    if job.status == Job.Status.FAILED:
        retry_job(job=job)
    Job.objects.filter(pk=job.pk).update(due=None)
    run_job(str(job.pk))


@pytest.mark.parametrize("fault", [BROKEN, Reply(fault="cut"), Reply(status=429), Reply(fault="not_finite")])
def test_a_document_waits_with_a_remedy_and_is_read_on_the_next_try(
    server: EmbeddingServer, public: Collection, index: AddDocument, fault: Reply
) -> None:
    server.replies = [fault]
    document = index(public, OLD)
    job = last_job(document)
    assert job.due or job.status == "failed"  # another try comes by itself where it can help
    assert document.status == (Document.Status.QUEUED if job.due else Document.Status.FAILED)
    assert document.error_code == job.error_code != "unexpected"
    assert document.error_message
    assert document.file.read() == OLD.encode()
    assert not Chunk.objects.exists()

    server.replies = [FINE]
    try_now(job)
    document.refresh_from_db()
    assert (document.status, document.error_code) == (Document.Status.READY, "")
    assert ChunkEmbedding.objects.count() == document.chunk_count == 1


def test_a_stumble_is_not_noticed(server: EmbeddingServer, public: Collection, index: AddDocument) -> None:
    server.replies = [BROKEN, FINE]
    assert index(public, OLD).status == Document.Status.READY


def test_the_last_good_version_serves_until_the_new_one_is_read(
    server: EmbeddingServer, public: Collection, index: AddDocument
) -> None:
    index(public, OLD)
    server.replies = [BROKEN]
    document = index(public, NEW)
    assert (document.status, document.error_code) == (Document.Status.READY, "embedder_unavailable")
    assert [chunk.text for chunk in Chunk.objects.all()] == [OLD]

    server.replies = [FINE]
    job = last_job(document)
    try_now(job)
    assert [chunk.text for chunk in Chunk.objects.all()] == [NEW]


def test_searches_go_on_by_words(server: EmbeddingServer, public: Collection, index: AddDocument) -> None:
    index(public, OLD)
    server.replies = [BROKEN]
    passages = search_passages(query="ile trwa urlop", viewer=AnonymousUser()).passages
    assert [passage.text for passage in passages] == [OLD]
    assert passages[0].explanation.dense_rank is None


def test_the_same_text_is_not_embedded_twice(server: EmbeddingServer, public: Collection, index: AddDocument) -> None:
    document = index(public, OLD)
    server.requests.clear()
    document.jobs.update(status=Job.Status.QUEUED)
    run_job(str(last_job(document).pk))
    assert last_job(document).status == Job.Status.SUCCEEDED
    assert not server.requests
    assert EmbeddingCacheEntry.objects.count() == 1


def test_a_deleted_document_leaves_no_vector_behind(
    server: EmbeddingServer, public: Collection, index: AddDocument
) -> None:
    document = index(public, OLD)
    assert EmbeddingCacheEntry.objects.exists()
    delete_document(document=document)
    assert not EmbeddingCacheEntry.objects.exists()


def test_a_deleted_document_leaves_no_vector_of_what_it_said_before_an_editor_changed_it(
    server: EmbeddingServer, public: Collection, index: AddDocument
) -> None:
    document = index(public, OLD)
    edit_chunk(chunk=document.chunks.get(), text=NEW)
    assert EmbeddingCacheEntry.objects.count() == 2
    delete_document(document=document)
    assert not EmbeddingCacheEntry.objects.exists()
