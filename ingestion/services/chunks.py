"""Chunks: switched off and on, edited and taken back to what the document says; only the one chunk is indexed anew.

Its vectors are deleted in every space, the retired ones too: what is missing there is computed if they come back.
"""

from dataclasses import replace

from django.utils.translation import gettext as _

from ingestion.errors import IngestionError
from ingestion.index.duplicates import rewrite_sketch
from ingestion.index.graph import remove_mentions
from ingestion.index.postings import write_postings
from ingestion.index.spaces import living_vectors
from ingestion.index.vectors import draft_of
from ingestion.index.writing import remove_postings, write_names, write_vectors, writing
from ingestion.models import Chunk, ChunkEmbedding
from ingestion.pipeline import searched_words
from knowledgetree.audit.models import AuditEntry
from knowledgetree.audit.recording import Subject, record


def set_chunk_enabled(*, chunk: Chunk, enabled: bool) -> None:
    """A chunk that is switched off is in no index, so no search finds it and no count knows it."""
    _reindex(chunk, enabled=enabled, text=chunk.text)


def edit_chunk(*, chunk: Chunk, text: str, enabled: bool | None = None) -> None:
    """Replace the text that is searched and shown; what the document says is kept beside it.

    `enabled` None: as it is. Raises IngestionError for a blank text.
    """
    if not text.strip():
        raise IngestionError(_("A chunk needs a text; switch it off instead."))
    _reindex(chunk, enabled=chunk.enabled if enabled is None else enabled, text=text)


def revert_chunk(*, chunk: Chunk) -> None:
    """Back to what the document says. Raises IngestionError where nobody edited it."""
    if not chunk.edited:
        raise IngestionError(_("This chunk says what the document says."))
    _reindex(chunk, enabled=chunk.enabled, text=chunk.original_text)


def _reindex(chunk: Chunk, *, enabled: bool, text: str) -> None:
    draft = replace(draft_of(chunk), text=text)
    title = chunk.document.title
    words = searched_words(draft, title)
    vectors = living_vectors([draft], titles=[title])[0] if enabled else {}
    with writing(lambda: words) as terms:
        current = Chunk.objects.select_for_update().filter(pk=chunk.pk).first()
        if current is None:
            raise IngestionError(_("The document was indexed anew meanwhile; open its chunks again."))
        remove_postings(chunk.collection_id, [chunk.pk])
        remove_mentions([chunk.pk])
        ChunkEmbedding.objects.filter(chunk=chunk).delete()
        current.enabled, current.text, current.original_text = enabled, text, _original(current, text)
        current.save(update_fields=["enabled", "text", "original_text"])
        subject = Subject(kind="ingestion.chunk", number=str(chunk.pk))
        record(AuditEntry.Action.UPDATE, subject=subject, documents=[chunk.document_id])
        rewrite_sketch(current)
        if enabled:
            write_postings(chunk.collection_id, terms, [(chunk.pk, words)])
            write_names(chunk.collection_id, Chunk.objects.filter(pk=chunk.pk).select_related("document"))
            write_vectors([(chunk.pk, vectors)])
    chunk.enabled, chunk.text, chunk.original_text = enabled, text, current.original_text


def _original(chunk: Chunk, text: str) -> str:
    """What the document says, where `text` says something else; else empty."""
    says = chunk.original_text or chunk.text
    return "" if text == says else says
