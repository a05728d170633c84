"""The editors' side of the knowledge base. One file a family of models."""

from ingestion.admin import (  # noqa: F401  (importing registers)
    accounts,
    chunks,
    collections,
    documents,
    glossary,
    jobs,
    sources,
    spaces,
    synonyms,
)
