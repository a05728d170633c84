"""The editors' side of the knowledge base. One file a family of models."""

from ingestion.admin import (  # noqa: F401  (importing registers)
    accounts,
    chunks,
    collections,
    documents,
    erasing,
    glossary,
    jobs,
    rechunking,
    sources,
    spaces,
    sync_reports,
    synonyms,
)
