"""One document's chunks in the place of its former ones. Its texts, and what is known of them, stay."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from ingestion.chunking.splitting import Chunking, split
from ingestion.index.duplicates import remove_chunk_sketches, write_chunk_sketches
from ingestion.index.vectors import draft_of
from ingestion.index.writing import IndexedChunk, remove_chunks, write_chunks, writing
from ingestion.models import Chunk, Document, Extraction
from ingestion.types import ChunkDraft, ExtractedText, Page
from knowledgetree.conf import ChunkingSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class SplitText:
    extraction: Extraction
    drafts: Sequence[ChunkDraft]


def split_texts(
    document: Document, extractions: Sequence[Extraction], chunking: Chunking, settings: ChunkingSettings
) -> list[SplitText]:
    """The document's stored texts, in their order, split anew. Raises what the chunker raises."""
    said = [document.metadata.get("extracted", {}), *({} for _ in extractions[1:])]  # of the main text alone
    return [
        SplitText(extraction=extraction, drafts=split(_stored(extraction, metadata), chunking, settings))
        for extraction, metadata in zip(extractions, said, strict=False)
    ]


def is_unchanged(document: Document, texts: Sequence[SplitText]) -> bool:
    """Whether the document has these very chunks already."""
    rows = Chunk.objects.filter(document=document).order_by("extraction_id", "ordinal")
    has = [(row.extraction_id, replace(draft_of(row), kind=row.kind)) for row in rows]  # type: ignore[arg-type]
    return has == [(text.extraction.pk, draft) for text in texts for draft in text.drafts]


def swap(
    document: Document, texts: Sequence[tuple[Extraction, Sequence[IndexedChunk]]], *, mark: Mapping[str, Any]
) -> bool:
    """Write the chunks of each text; one transaction, so that readers see the former ones or these.

    False, and nothing is written, where the document is not what was split any more, or an editor changed a chunk.
    """
    words = (word for _, chunks in texts for chunk in chunks for word in chunk.words)
    with writing(lambda: words) as terms:
        if not _hold(document, [extraction for extraction, _ in texts]):
            return False
        remove_chunk_sketches(document)
        remove_chunks(document)
        rows = write_chunks(texts, terms)
        write_chunk_sketches(rows[0])  # the second text is alike by nature
        Document.objects.filter(pk=document.pk).update(chunk_count=sum(map(len, rows)), chunking=dict(mark))
    return True


@transaction.atomic
def note_mark(document: Document, extractions: Sequence[Extraction], *, mark: Mapping[str, Any]) -> bool:
    """Say that the chunks are as `mark` says; False as for `swap`."""
    if not _hold(document, extractions):
        return False
    Document.objects.filter(pk=document.pk).update(chunking=dict(mark))
    return True


def _hold(document: Document, extractions: Sequence[Extraction]) -> bool:
    """Lock the document and its chunks; whether they still are what was read. Waits for an editor who saves one."""
    same = {"pk": document.pk, "collection": document.collection_id, "title": document.title}
    if not Document.objects.readable().select_for_update().filter(**same).exists():
        return False
    texts = Extraction.objects.filter(document=document).order_by("pk").values_list("pk", flat=True)
    if list(texts) != [extraction.pk for extraction in extractions]:
        return False
    chunks = Chunk.objects.filter(document=document).order_by("pk").select_for_update()
    return all(enabled and not original for enabled, original in chunks.values_list("enabled", "original_text"))


def _stored(extraction: Extraction, metadata: Mapping[str, Any]) -> ExtractedText:
    """The text as its extractor gave it."""
    starts = extraction.page_starts
    ends = [*starts[1:], len(extraction.text)]
    return ExtractedText(
        text=extraction.text,
        extractor=extraction.extractor,
        pages=tuple(
            Page(number=number, start=start, end=end)
            for number, (start, end) in enumerate(zip(starts, ends, strict=False), start=1)
        ),
        metadata=metadata,
    )
