"""Chunks: switched off and on, edited; only the one chunk is indexed anew."""

from dataclasses import replace

from django.db import transaction
from django.utils.translation import gettext as _

from ingestion.errors import IngestionError
from ingestion.index import remove_postings, term_ids, write_postings, write_vectors
from ingestion.models import Chunk, ChunkEmbedding
from ingestion.pipeline import searched_words
from ingestion.spaces import living_spaces
from ingestion.types import ChunkDraft
from ingestion.vectors import chunk_vectors


def set_chunk_enabled(*, chunk: Chunk, enabled: bool) -> None:
    """A chunk that is switched off is in no index, so no search finds it and no count knows it."""
    _reindex(chunk, enabled=enabled, text=chunk.text)


def edit_chunk(*, chunk: Chunk, text: str) -> None:
    """Replace the text that is searched and shown. Raises IngestionError for a blank one."""
    if not text.strip():
        raise IngestionError(_("A chunk needs a text; switch it off instead."))
    _reindex(chunk, enabled=chunk.enabled, text=text)


def _reindex(chunk: Chunk, *, enabled: bool, text: str) -> None:
    draft = replace(draft_of(chunk), text=text)
    title = chunk.document.title
    words = searched_words(draft, title)
    terms = term_ids({text for word in words for text in word})
    with transaction.atomic():
        if not Chunk.objects.select_for_update().filter(pk=chunk.pk).exists():
            raise IngestionError(_("The document was indexed anew meanwhile; open its chunks again."))
        remove_postings([chunk.pk])
        ChunkEmbedding.objects.filter(chunk=chunk).delete()
        Chunk.objects.filter(pk=chunk.pk).update(enabled=enabled, text=text)
        if enabled:
            write_postings(chunk.collection_id, terms, [(chunk.pk, words)])
            vectors = {space.pk: chunk_vectors([draft], titles=[title], space=space)[0] for space in living_spaces()}
            write_vectors([(chunk.pk, vectors)])
    chunk.enabled, chunk.text = enabled, text


def draft_of(chunk: Chunk) -> ChunkDraft:
    """The chunk as the pipeline had it before it was written."""
    return ChunkDraft(
        text=chunk.text,
        start=chunk.start,
        end=chunk.end,
        line_start=chunk.line_start,
        line_end=chunk.line_end,
        page_start=chunk.page_start,
        page_end=chunk.page_end,
        heading_path=tuple(chunk.heading_path),
        context_before=chunk.context_before,
        context_after=chunk.context_after,
    )
