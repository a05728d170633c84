"""A document's way into the index: extract, chunk, analyse, embed, write."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from django.db import connection

from ingestion.chunking.splitting import chunking_of, mark, split
from ingestion.index.duplicates import note_similar_documents
from ingestion.index.edits import ChunkEdit, carried_over, chunk_edits
from ingestion.index.spaces import living_vectors
from ingestion.index.vectors import ChunkVectors
from ingestion.index.writing import IndexedChunk, IndexedText, grouped_like, replace_document
from ingestion.models import Collection, Document, Job
from ingestion.reading.local_copies import local_copy
from ingestion.reading.sandbox import ParsingLimits, parse
from ingestion.reading.titles import document_title
from ingestion.text.analyser import Word, analyser
from ingestion.text.index_format.chunk_words import searched_text
from ingestion.types import ChunkDraft, ExtractedText
from knowledgetree.conf import IngestionSettings

_NUL = re.compile(r"(?<!\\)((?:\\\\)*)\\u0000")  # as JSON writes it; jsonb takes none. Not a text that says \\u0000
_MOST_METADATA = 20_000  # characters; a file may call anything its front matter

Report = Callable[[str, int, int], None]
"""Called with (stage of `Job.Stage`, done, total)."""


def ingest(document: Document, settings: IngestionSettings, report: Report) -> bool:
    """Read the document's original and replace its chunks. False where the document changed or went meanwhile.

    Chunks that an editor changed or switched off stay so where the document still says there what it said.
    Raises `ingestion.errors.ExtractionError` for input that cannot be read, and ChunksEdited; the index is then as it
    was.
    """
    extracted = _extract(document, settings, report)
    report(Job.Stage.CHUNKING, 0, 1)
    texts = [text for text in (extracted, extracted.second) if text is not None]
    chunking = chunking_of(_current_collection(document), settings.chunking)
    drafts = [split(text, chunking, settings.chunking) for text in texts]
    edits = chunk_edits(document)
    texts_of = [(text.extractor, draft.text) for text, its in zip(texts, drafts, strict=True) for draft in its]
    inherited = grouped_like(drafts, carried_over(edits, texts_of))
    edited = [
        (document, [replace(draft, text=edit.text) if edit else draft for draft, edit in zip(its, their, strict=True)])
        for its, their in zip(drafts, inherited, strict=True)
    ]
    replaced = replace_document(
        document,
        [
            IndexedText(extracted=text, chunks=list(map(_as_edited, its, their)))
            for text, its, their in zip(texts, indexed_chunks(edited, report), inherited, strict=True)
        ],
        chunking=mark(chunking, settings.chunking),
        edits=edits,
    )
    if replaced:
        note_similar_documents(document)
    return replaced


def _as_edited(chunk: IndexedChunk, edit: ChunkEdit | None) -> IndexedChunk:
    if edit is None:
        return chunk
    return replace(chunk, original_text=edit.says if edit.says != edit.text else "", enabled=edit.enabled)


def _current_collection(document: Document) -> Collection:
    """As it is now: its chunking may have changed while the file was read."""
    return Collection.objects.get(pk=document.collection_id)


def indexed_chunks(
    texts: Sequence[tuple[Document, Sequence[ChunkDraft]]], report: Report, *, embedded: bool = True
) -> list[list[IndexedChunk]]:
    """The drafts of each text, given with its document, with their words and, `embedded`, their vectors in every
    living space.
    """
    titled = [(document.title, draft) for document, drafts in texts for draft in drafts]
    report(Job.Stage.ANALYSING, 0, len(titled))
    words = [searched_words(draft, title) for title, draft in titled]
    drafts, titles = [draft for _, draft in titled], [title for title, _ in titled]
    progress = partial(report, Job.Stage.EMBEDDING)
    vectors = living_vectors(drafts, titles=titles, progress=progress) if embedded else [{} for _ in drafts]
    report(Job.Stage.WRITING, 0, len(titled))
    chunks = map(_indexed, drafts, words, vectors)
    return grouped_like([its for _, its in texts], chunks)


def _indexed(draft: ChunkDraft, words: Sequence[Word], vectors: dict[int, ChunkVectors]) -> IndexedChunk:
    return IndexedChunk(draft=draft, words=words, vectors=vectors)


def searched_words(draft: ChunkDraft, title: str) -> list[Word]:
    """The words a chunk is found by: its own, those of its headings and of the document's title, each once."""
    return analyser().words(searched_text(title=title, headings=draft.heading_path, text=draft.text))


def _extract(document: Document, settings: IngestionSettings, report: Report) -> ExtractedText:
    with document.file.open("rb") as original, local_copy(original, document.checksum) as copy:
        media_type, extracted = parse(
            copy,
            name=document.file_name,
            limits=parsing_limits(settings),
            max_bytes=settings.max_bytes,
            max_characters=settings.max_characters,
            second=_second_extractor(document, settings),
            progress=partial(report, Job.Stage.EXTRACTING),
        )
    document.media_type = media_type
    document.save(update_fields=["media_type"])
    _keep_title(document, extracted)
    _keep_metadata(document, extracted)
    return extracted


def _keep_title(document: Document, extracted: ExtractedText) -> None:
    """The one that stands in the text, where neither an editor nor whoever brought the document gave another.

    In SQL: editors may be giving one now; it is indexed after this.
    """
    own = Document.objects.filter(pk=document.pk, given__title="").exclude(edited__contains=["title"])
    own.update(title=document_title(extracted.title, file_name=document.file_name))
    document.title = Document.objects.filter(pk=document.pk).values_list("title", flat=True).first() or document.title


def _keep_metadata(document: Document, extracted: ExtractedText) -> None:
    """What the file says of itself (heads of mails, front matter, how well pages were recognised), under "extracted".

    Beside what editors wrote, and in SQL: they may be writing it now.
    """
    said = _NUL.sub(r"\1", json.dumps(dict(extracted.metadata), ensure_ascii=False, default=str))
    if len(said) > _MOST_METADATA:
        said = "{}"
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE ingestion_document SET metadata = CASE WHEN %(said)s::jsonb = '{}' THEN metadata - 'extracted' "
            "ELSE jsonb_set(metadata, '{extracted}', %(said)s::jsonb) END "
            "WHERE id = %(document)s AND coalesce(metadata -> 'extracted', '{}') <> %(said)s::jsonb",
            {"said": said, "document": document.pk},
        )


def _second_extractor(document: Document, settings: IngestionSettings) -> str:
    chosen = settings.second_extraction_in
    return settings.second_pdf_extractor if not chosen or document.collection.slug in chosen else ""


def parsing_limits(settings: IngestionSettings) -> ParsingLimits:
    return ParsingLimits(
        seconds=settings.parse_seconds,
        total_seconds=settings.parse_total_seconds,
        memory_mb=settings.parse_memory_mb,
    )
