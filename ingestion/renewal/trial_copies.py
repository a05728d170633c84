"""Copies of documents that are split in another way on trial: in a collection that nobody reads, beside what serves.

What is left to do is a query, so one that was broken off goes on where it was.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace

from django.db import connection
from django.db.models import QuerySet

from ingestion.chunking.splitting import Chunking, chunking_of, mark
from ingestion.index.edits import CHANGED_BY_HAND
from ingestion.index.vectors import draft_of
from ingestion.index.writing import IndexedChunk, grouped_like, write_chunks, writing
from ingestion.models import Chunk, Collection, Document, Extraction
from ingestion.pipeline import indexed_chunks
from ingestion.renewal.rechunking.swapping import split_texts
from ingestion.types import ChunkDraft
from knowledgetree.conf import ChunkingSettings, rag_settings
from knowledgetree.errors import KnowledgeTreeError
from knowledgetree.postgres.copying import copy_models

log = logging.getLogger("knowledgetree.jobs")

_BATCH = 16  # documents a transaction: little is lost where a batch is broken off
_LIKE_ORIGINAL = """
UPDATE ingestion_document copy SET created = own.created, modified = own.modified, indexed = own.indexed
FROM ingestion_document own WHERE copy.id = ANY(%s) AND own.id = copy.trial_of_id
"""
_ANEW = frozenset({"id", "collection", "source", "file", "trial_of", "earlier"})

CopiedText = tuple[Extraction, list[IndexedChunk]]


def fill_copy(trial: Collection, documents: Sequence[int], goes_on: Callable[[], bool]) -> bool:
    """Copy `documents`, by key, into `trial`, split as its `chunking` says, as long as it `goes_on`, which is asked
    after each batch; whether all are there. Documents that went or are not ready any more are left out.
    """
    while batch := list(_missing(trial, documents)[:_BATCH]):
        if not goes_on() or not _copy(trial, batch):
            return False
    return True


def _missing(trial: Collection, documents: Sequence[int]) -> QuerySet[Document]:
    there = Document.of_all_times.filter(collection=trial).values("trial_of")
    rows = Document.objects.readable().filter(pk__in=documents, collection=trial.trial_of_id, chunk_count__gt=0)
    return rows.exclude(pk__in=there).order_by("pk")


def _copy(trial: Collection, documents: Sequence[Document]) -> bool:
    """False where the trial is over meanwhile."""
    settings = rag_settings().ingestion.chunking
    chunking = chunking_of(trial, settings)
    read = {document.pk: list(document.extractions.order_by("pk")) for document in documents}
    as_before = _as_before(documents)
    drafts = [
        (document, its)
        for document in documents
        for its in _drafts(document, read[document.pk], chunking, settings, as_before)
    ]
    chunks = grouped_like([read[document.pk] for document in documents], indexed_chunks(drafts, _untold))
    words = (word for of_texts in chunks for its in of_texts for chunk in its for word in chunk.words)
    with writing(lambda: words) as terms:
        if not Collection.with_archives.select_for_update(no_key=True).filter(pk=trial.pk).exists():
            return False
        held = Document.objects.select_for_update(no_key=True).filter(pk__in=read).order_by("pk")
        living = set(held.values_list("pk", flat=True))
        made = [
            (document, list(zip(read[document.pk], its, strict=True)))
            for document, its in zip(documents, chunks, strict=True)
            if document.pk in living
        ]
        if made:
            _write(trial, made, terms, chunking=mark(chunking, settings))
    return True


def _write(
    trial: Collection, made: Sequence[tuple[Document, list[CopiedText]]], terms: dict[str, int], *, chunking: object
) -> None:
    """Without sketches and personal data: a copy is in no list of duplicates and no register."""
    copies = copy_models([_as_copy(document, trial, texts, chunking) for document, texts in made])
    extractions = copy_models(
        [
            Extraction(
                document=copy,
                extractor=text.extractor,
                text=text.text,
                page_starts=text.page_starts,
                checksum=text.checksum,
            )
            for copy, (_, texts) in zip(copies, made, strict=True)
            for text, _chunks in texts
        ]
    )
    chunks = (chunks for _, texts in made for _text, chunks in texts)
    write_chunks(list(zip(extractions, chunks, strict=True)), terms)
    with connection.cursor() as cursor:
        cursor.execute(_LIKE_ORIGINAL, [[copy.pk for copy in copies]])


def _as_copy(document: Document, trial: Collection, texts: Sequence[CopiedText], chunking: object) -> Document:
    """With the readers of its original; the file stays the original's alone."""
    fields = (field for field in Document._meta.concrete_fields if field.name not in _ANEW)
    own = {field.attname: getattr(document, field.attname) for field in fields}
    count = sum(len(chunks) for _, chunks in texts)
    return Document(**{**own, "collection": trial, "trial_of": document, "chunk_count": count, "chunking": chunking})


def _drafts(
    document: Document,
    texts: Sequence[Extraction],
    chunking: Chunking,
    settings: ChunkingSettings,
    as_before: set[int],
) -> list[Sequence[ChunkDraft]]:
    """Of each text; a document that a change of chunking leaves as it is has its chunks of today."""
    if document.pk not in as_before:
        try:
            return [text.drafts for text in split_texts(document, texts, chunking, settings)]
        except KnowledgeTreeError:
            raise
        except Exception:
            log.exception("a text could not be split", extra={"fields": {"document": document.pk}})
    return [_chunks_of_today(text) for text in texts]


def _chunks_of_today(text: Extraction) -> list[ChunkDraft]:
    rows = Chunk.objects.filter(extraction=text, enabled=True).order_by("ordinal")
    return [replace(draft_of(row), kind=row.kind) for row in rows]  # type: ignore[arg-type]


def _as_before(documents: Sequence[Document]) -> set[int]:
    edited = Chunk.objects.filter(CHANGED_BY_HAND, document__in=documents)
    return set(edited.values_list("document", flat=True))


def _untold(stage: str, done: int, total: int) -> None:
    """Who waits is told between batches."""
