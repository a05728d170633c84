"""Chunks: switched off and on, edited; only the one chunk is indexed anew.

Its vectors are deleted in every space, the retired ones too: what is missing there is computed if they come back.
"""

from dataclasses import replace

from django.db import transaction
from django.utils.translation import gettext as _

from ingestion.errors import IngestionError
from ingestion.graph import remove_mentions
from ingestion.index import remove_postings, term_ids, write_names, write_postings, write_vectors
from ingestion.models import Chunk, ChunkEmbedding
from ingestion.pipeline import searched_words
from ingestion.spaces import living_vectors
from ingestion.vectors import draft_of


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
    terms = term_ids(words)
    vectors = living_vectors([draft], titles=[title])[0] if enabled else {}
    with transaction.atomic():
        if not Chunk.objects.select_for_update().filter(pk=chunk.pk).exists():
            raise IngestionError(_("The document was indexed anew meanwhile; open its chunks again."))
        remove_postings([chunk.pk])
        remove_mentions([chunk.pk])
        ChunkEmbedding.objects.filter(chunk=chunk).delete()
        Chunk.objects.filter(pk=chunk.pk).update(enabled=enabled, text=text)
        if enabled:
            write_postings(chunk.collection_id, terms, [(chunk.pk, words)])
            write_names(chunk.collection_id, Chunk.objects.filter(pk=chunk.pk).select_related("document"))
            write_vectors([(chunk.pk, vectors)])
    chunk.enabled, chunk.text = enabled, text
