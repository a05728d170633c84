"""The index of a document: chunks, vectors and postings, replaced together or not at all."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, TypeVar

from django.db import connection, transaction
from django.utils import timezone

from ingestion.errors import ChunksEdited
from ingestion.index.duplicates import remove_sketches, write_sketches
from ingestion.index.edits import ChunkEdit, chunk_edits
from ingestion.index.findings import keep_text_of_version, write_personal_data
from ingestion.index.graph import NAMES_VERSION, recogniser, write_mentions
from ingestion.index.packed_rows import restore_rows
from ingestion.index.postings import write_postings, write_words
from ingestion.index.spaces import hold_spaces
from ingestion.index.terms import enter_terms
from ingestion.index.vectors import ChunkVectors, chunk_vectors, copy_vectors, draft_of
from ingestion.index.vocabulary import hold_vocabulary, last_erasure
from ingestion.models import Chunk, Document, EmbeddingSpace, Extraction, LoadedDocument, PersonalData
from ingestion.text.analyser import Word
from ingestion.text.index_format.chunk_words import searched_text
from ingestion.text.names.mention import Named
from ingestion.types import ChunkDraft, ExtractedText
from knowledgetree.postgres.copying import copy_models

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedChunk:
    """A chunk with what is searched for it: its words (title and headings included) and its vectors in each space."""

    draft: ChunkDraft
    words: Sequence[Word]
    vectors: dict[int, ChunkVectors]
    """By the key of the space."""
    original_text: str = ""
    """What the document says, where `draft` has an editor's text."""
    enabled: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedText:
    """A document as one extractor saw it, with its chunks."""

    extracted: ExtractedText
    chunks: Sequence[IndexedChunk]


def replace_document(
    document: Document,
    texts: Sequence[IndexedText],
    *,
    chunking: Mapping[str, Any] | None = None,
    edits: Sequence[ChunkEdit] = (),
) -> bool:
    """Put `texts` in the place of what the document had, and mark it ready; one transaction. The first one is the
    document's text; another is searched beside it. `chunking`: the mark of how they were split; `edits`: what editors
    did to its chunks, carried over in `texts`.

    False, and nothing is written, where the document was deleted, archived or got another content meanwhile. Raises
    ChunksEdited where somebody edited a chunk meanwhile.
    """
    with writing(lambda: (word for text in texts for chunk in text.chunks for word in chunk.words)) as terms:
        current = Document.objects.select_for_update().filter(pk=document.pk, checksum=document.checksum)
        if not current.exclude(status=Document.Status.ARCHIVED).exists():
            return False
        list(Chunk.objects.filter(document=document).order_by("pk").select_for_update().values_list("pk"))
        if chunk_edits(document) != list(edits):
            raise ChunksEdited
        if Extraction.objects.filter(document=document).exists():  # of a new one there is nothing to remove
            remove_document(document)
        write_documents([(document, texts)], terms)
        Document.objects.filter(pk=document.pk).update(**ready(texts, chunking or {}))
    return True


def ready(texts: Sequence[IndexedText], chunking: Mapping[str, Any]) -> dict[str, Any]:
    """What the row of a document says of itself once it has these texts, split as `chunking` marks."""
    return {
        "status": Document.Status.READY,
        "error_code": "",
        "error_message": "",
        "warnings": list(texts[0].extracted.warnings),
        "chunk_count": sum(len(text.chunks) for text in texts),
        "chunking": dict(chunking),
        "names_version": NAMES_VERSION,
        "indexed": timezone.now(),
    }


def write_documents(
    documents: Sequence[tuple[Document, Sequence[IndexedText]]], terms: dict[str, int], *, counted: bool = True
) -> None:
    """The texts of documents of one collection with all they are found by; the documents have none yet. Not `counted`:
    as loaded ones, whose words are published later (`ingestion.index.publishing`).
    """
    written = [(document, text) for document, texts in documents for text in texts]
    extractions = copy_models(
        [
            Extraction(
                document=document,
                extractor=text.extracted.extractor,
                text=text.extracted.text,
                page_starts=[page.start for page in text.extracted.pages],
                checksum=document.checksum,
            )
            for document, text in written
        ]
    )
    write_personal_data(extractions)
    if not counted:
        copy_models([LoadedDocument(document=document) for document, _ in documents])
    chunks = [(row, text.chunks) for row, (_, text) in zip(extractions, written, strict=True)]
    entered = _enter_chunks(chunks)
    rows = grouped_like([texts for _, texts in documents], entered)
    # The second text is alike by nature.
    write_sketches([(document, its[0]) for (document, _), its in zip(documents, rows, strict=True)])
    _write_words_and_names(chunks, entered, terms, counted=counted)


def write_chunks(
    texts: Sequence[tuple[Extraction, Sequence[IndexedChunk]]], terms: dict[str, int]
) -> list[list[Chunk]]:
    """The chunks of each text, of one collection, with all they are found by; sketches are the caller's."""
    rows = _enter_chunks(texts)
    _write_words_and_names(texts, rows, terms)
    return rows


def _enter_chunks(texts: Sequence[tuple[Extraction, Sequence[IndexedChunk]]]) -> list[list[Chunk]]:
    rows = copy_models([_row(text, ordinal, chunk) for text, chunks in texts for ordinal, chunk in enumerate(chunks)])
    of_rows = zip(rows, (chunk for _, chunks in texts for chunk in chunks), strict=True)
    write_vectors((row.pk, chunk.vectors) for row, chunk in of_rows if chunk.enabled)
    return grouped_like([chunks for _, chunks in texts], rows)


def _write_words_and_names(
    texts: Sequence[tuple[Extraction, Sequence[IndexedChunk]]],
    rows: Sequence[Sequence[Chunk]],
    terms: dict[str, int],
    *,
    counted: bool = True,
) -> None:
    """Comes last, for writers of a collection wait here for each other until their transactions end."""
    collection_id = texts[0][0].document.collection_id
    of_rows = (
        (row, chunk)
        for its, (_, chunks) in zip(rows, texts, strict=True)
        for row, chunk in zip(its, chunks, strict=True)
    )
    searched = [(row, chunk) for row, chunk in of_rows if chunk.enabled]
    words = ((row.pk, chunk.words) for row, chunk in searched)
    names = recognised_names(collection_id, [row for row, _ in searched])
    if counted:
        write_postings(collection_id, terms, words)
    else:
        write_words(terms, words)
    write_mentions(collection_id, names)


def grouped_like(groups: Iterable[Sequence[Any]], values: Iterable[T]) -> list[list[T]]:
    """The values in order, as many together as each group has."""
    rest = iter(values)
    return [list(islice(rest, len(group))) for group in groups]


@contextmanager
def writing(words: Callable[[], Iterable[Word]]) -> Iterator[dict[str, int]]:
    """A transaction that writes postings of these words, with their keys; an erasure meanwhile makes them anew."""
    erasure = last_erasure()
    terms = enter_terms(words())
    with transaction.atomic():
        if hold_vocabulary() != erasure:
            terms = enter_terms(words())
        yield terms


def remove_document(document: Document) -> None:
    """Take the document out of the index; its row and its original stay."""
    keep_text_of_version(document)
    remove_sketches(document)
    PersonalData.objects.filter(document=document).delete()
    remove_chunks(document)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM ingestion_extraction WHERE document_id = %s", [document.pk])
    Document.objects.filter(pk=document.pk).update(chunk_count=0)


def remove_chunks(document: Document) -> None:
    """With all they are found by but their sketches; the document's texts stay."""
    restore_rows(document.collection_id, list(document.chunks.values_list("pk", flat=True)))
    with connection.cursor() as cursor:
        of_document = "(SELECT id FROM ingestion_chunk WHERE document_id = %s)"
        cursor.execute(f"DELETE FROM ingestion_posting WHERE chunk_id IN {of_document}", [document.pk])  # noqa: S608
        cursor.execute(f"DELETE FROM ingestion_chunkwords WHERE chunk_id IN {of_document}", [document.pk])  # noqa: S608
        cursor.execute(f"DELETE FROM ingestion_entitymention WHERE chunk_id IN {of_document}", [document.pk])  # noqa: S608
        cursor.execute(f"DELETE FROM ingestion_chunkembedding WHERE chunk_id IN {of_document}", [document.pk])  # noqa: S608
        cursor.execute("DELETE FROM ingestion_chunk WHERE document_id = %s", [document.pk])


def refresh_planner_statistics() -> None:
    """Tell PostgreSQL's planner what a bulk of documents changed; autovacuum would a minute later, with slow searches
    until then.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "ANALYZE ingestion_document, ingestion_chunk, ingestion_chunkembedding, ingestion_chunkwords, "
            "ingestion_term, ingestion_posting, ingestion_termstatistics, ingestion_entity, ingestion_entitymention"
        )


def remove_postings(collection_id: int, chunk_ids: Sequence[int]) -> None:
    restore_rows(collection_id, chunk_ids)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM ingestion_posting WHERE chunk_id = ANY(%s)", [list(chunk_ids)])
        cursor.execute("DELETE FROM ingestion_chunkwords WHERE chunk_id = ANY(%s)", [list(chunk_ids)])


def write_names(collection_id: int, chunks: Iterable[Chunk]) -> None:
    """What the chunks name, their headings and their documents' titles included, into the graph."""
    write_mentions(collection_id, recognised_names(collection_id, chunks))


def recognised_names(collection_id: int, chunks: Iterable[Chunk]) -> list[tuple[int, list[Named]]]:
    """The key of each chunk with what it names."""
    recognise = recogniser().find
    return [
        (
            row.pk,
            recognise(
                searched_text(title=row.document.title, headings=row.heading_path, text=row.text), [collection_id]
            ),
        )
        for row in chunks
    ]


def write_vectors(chunks: Iterable[tuple[int, dict[int, ChunkVectors]]]) -> None:
    """Write each chunk's vectors by the key of the space, inside the transaction that wrote the chunks.

    A space that was dropped since they were computed is left out, and one that was activated since is made up for: no
    chunk is ever committed without its vectors in the space that searches run in.
    """
    spaces = hold_spaces()
    active = next((space for space in spaces.values() if space.status == EmbeddingSpace.Status.ACTIVE), None)
    late = []
    rows: dict[int, list[tuple[int, ChunkVectors]]] = {space_id: [] for space_id in spaces}
    for chunk_id, vectors in chunks:
        for space_id in vectors.keys() & spaces.keys():
            rows[space_id].append((chunk_id, vectors[space_id]))
        if active and vectors and active.pk not in vectors:
            late.append(chunk_id)
    for space_id, its in rows.items():
        copy_vectors(space_id, its)
    if active and late:
        write_vectors(_vectors_of(late, active))


def _vectors_of(chunk_ids: Sequence[int], space: EmbeddingSpace) -> Iterator[tuple[int, dict[int, ChunkVectors]]]:
    chunks = list(Chunk.objects.filter(pk__in=chunk_ids).select_related("document"))
    titles = [chunk.document.title for chunk in chunks]
    computed = chunk_vectors([draft_of(chunk) for chunk in chunks], titles=titles, space=space)
    for chunk, vectors in zip(chunks, computed, strict=True):
        yield chunk.pk, {space.pk: vectors}


def _row(extraction: Extraction, ordinal: int, chunk: IndexedChunk) -> Chunk:
    return Chunk(
        document=extraction.document,
        extraction=extraction,
        collection_id=extraction.document.collection_id,
        ordinal=ordinal,
        kind=chunk.draft.kind,
        text=chunk.draft.text,
        start=chunk.draft.start,
        end=chunk.draft.end,
        line_start=chunk.draft.line_start,
        line_end=chunk.draft.line_end,
        page_start=chunk.draft.page_start,
        page_end=chunk.draft.page_end,
        heading_path=list(chunk.draft.heading_path),
        context_before=chunk.draft.context_before,
        context_after=chunk.draft.context_after,
        original_text=chunk.original_text,
        enabled=chunk.enabled,
    )
