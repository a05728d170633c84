"""A document's way into the index: extract, chunk, analyse, embed, write."""

from collections.abc import Callable
from functools import partial

from ingestion.chunking.adaptive import AdaptiveChunker
from ingestion.chunking.context import locate
from ingestion.extraction.registry import extract
from ingestion.index import IndexedChunk, replace_document
from ingestion.models import Document, Job
from ingestion.spaces import living_vectors
from ingestion.text.analyser import Word, analyser
from ingestion.text.searched import searched_text
from ingestion.types import ChunkDraft, ExtractedText
from knowledgetree.conf import IngestionSettings

Report = Callable[[str, int, int], None]
"""Called with (stage of `Job.Stage`, done, total)."""


def ingest(document: Document, settings: IngestionSettings, report: Report) -> bool:
    """Read the document's original and replace its chunks. False where the document changed or went meanwhile.

    Raises `ingestion.errors.ExtractionError` for input that cannot be read; the index is then as it was.
    """
    extracted = _extract(document, settings, report)
    report(Job.Stage.CHUNKING, 0, 1)
    drafts = chunk(extracted, settings)
    report(Job.Stage.ANALYSING, 0, len(drafts))
    words = [searched_words(draft, document.title) for draft in drafts]
    titles = [document.title] * len(drafts)
    vectors = living_vectors(drafts, titles=titles, progress=partial(report, Job.Stage.EMBEDDING))
    report(Job.Stage.WRITING, 0, len(drafts))
    chunks = [
        IndexedChunk(draft=draft, words=searched, vectors=by_space)
        for draft, searched, by_space in zip(drafts, words, vectors, strict=True)
    ]
    return replace_document(document, extracted, chunks)


def chunk(extracted: ExtractedText, settings: IngestionSettings) -> list[ChunkDraft]:
    chunking = settings.chunking
    spans = AdaptiveChunker(chunk_size=chunking.chunk_size, overlap=chunking.overlap).split(extracted)
    return locate(extracted, spans, sentences=chunking.context_sentences)


def searched_words(draft: ChunkDraft, title: str) -> list[Word]:
    """The words a chunk is found by: its own, those of its headings and of the document's title, each once."""
    return analyser().words(searched_text(title=title, headings=draft.heading_path, text=draft.text))


def _extract(document: Document, settings: IngestionSettings, report: Report) -> ExtractedText:
    with document.file.open("rb") as original:
        content = original.read()
    media_type, extracted = extract(
        content,
        name=document.file_name,
        max_bytes=settings.max_bytes,
        max_characters=settings.max_characters,
        progress=partial(report, Job.Stage.EXTRACTING),
    )
    document.media_type = media_type
    fields = ["media_type"]
    if extracted.title and document.title == document.file_name:  # nobody gave it a better one
        document.title = extracted.title[:500]
        fields.append("title")
    document.save(update_fields=fields)
    return extracted
