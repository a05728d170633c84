"""A change of chunking in five small documents, and a chunker that can be interrupted."""

from collections.abc import Callable
from typing import Any

from ingestion.chunking.recursive import RecursiveChunker
from ingestion.index.spaces import ensure_active_space
from ingestion.jobs import run_job
from ingestion.models import Chunk, ChunkEmbedding, ChunkSketch, Collection, Document, Job, Posting, Rechunking
from ingestion.services.rechunking import Wish, start_rechunking
from ingestion.types import ExtractedText, Span

WORDS = ["urlop", "faktura", "delegacja", "umowa", "hasło"]
SMALL = Wish(chunker="interrupted", chunk_size=16, overlap=0)


class InterruptedChunker(RecursiveChunker):
    """The recursive chunker; before it splits a text, `meanwhile` happens."""

    meanwhile: Callable[[str], None] | None = None

    def split(self, extracted: ExtractedText) -> list[Span]:
        if happening := type(self).meanwhile:
            happening(extracted.text)
        return super().split(extracted)


def text_about(word: str) -> str:
    """Three paragraphs, one chunk of 512 tokens and three of 16."""
    return "\n\n".join(f"Akapit {n}: {word} w naszym urzędzie miejskim." for n in ("pierwszy", "drugi", "trzeci"))


def start(*collections: Collection, wish: Wish = SMALL, **gate: Any) -> Rechunking:
    return start_rechunking(collections=collections, wish=wish, queue=False, **gate)


def work(rechunking: Rechunking) -> Job:
    """Run its job until it ends or waits for another day."""
    job = rechunking.jobs.latest("created")
    for _ in range(20):
        run_job(str(job.pk))
        job.refresh_from_db()
        if job.status != Job.Status.QUEUED or job.due:
            break
    rechunking.refresh_from_db()
    return job


def counts(*documents: Document) -> list[int]:
    return [document.chunks.count() for document in documents]


def assert_the_index_is_whole() -> None:
    """Every chunk is what its range says, with postings and a vector; nothing is left of former ones."""
    chunks = list(Chunk.objects.filter(enabled=True).select_related("extraction"))
    keys = {chunk.pk for chunk in chunks}
    assert all(chunk.extraction.text[chunk.start : chunk.end] == chunk.text for chunk in chunks if not chunk.edited)
    assert set(Posting.objects.values_list("chunk", flat=True)) == keys
    vectors = ChunkEmbedding.objects.filter(space=ensure_active_space(), part=0)
    assert sorted(vectors.values_list("chunk", flat=True)) == sorted(keys)
    assert set(ChunkSketch.objects.values_list("chunk", flat=True)) <= {*Chunk.objects.values_list("pk", flat=True)}
    for document in Document.objects.filter(status="ready"):
        assert document.chunk_count == document.chunks.count()
