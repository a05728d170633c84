"""What may be read, by whom. Every reading path of the product starts at one of these."""

from ingestion.index.serving import active_space, embedder_of
from ingestion.selectors.access import (
    in_visible_collections,
    may_write_for,
    open_chunks,
    open_documents,
    operator,
    own_keys,
    readable_document,
    readable_documents,
    readers_of,
    visible_collections,
    visible_documents,
    visible_glossary,
    visible_jobs,
    visible_rechunkings,
    visible_sources,
    visible_synonym_groups,
)
from ingestion.selectors.index import (
    configured_model,
    document_text,
    document_texts,
    indexed_lemmas,
    term_keys,
)

__all__ = [
    "active_space",
    "configured_model",
    "document_text",
    "document_texts",
    "embedder_of",
    "in_visible_collections",
    "indexed_lemmas",
    "may_write_for",
    "open_chunks",
    "open_documents",
    "operator",
    "own_keys",
    "readable_document",
    "readable_documents",
    "readers_of",
    "term_keys",
    "visible_collections",
    "visible_documents",
    "visible_glossary",
    "visible_jobs",
    "visible_rechunkings",
    "visible_sources",
    "visible_synonym_groups",
]
