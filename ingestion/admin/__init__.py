"""The editors' side of the knowledge base. One folder a family of models."""

import ingestion.admin.access.accounts
import ingestion.admin.access.api_keys
import ingestion.admin.access.directory_groups
import ingestion.admin.chunks.chunks
import ingestion.admin.collections.collections
import ingestion.admin.collections.rechunking
import ingestion.admin.documents.documents
import ingestion.admin.documents.erasing
import ingestion.admin.jobs.jobs
import ingestion.admin.sources.sources
import ingestion.admin.sources.sync_reports
import ingestion.admin.spaces.spaces
import ingestion.admin.synonyms.glossary
import ingestion.admin.synonyms.lexicon
import ingestion.admin.synonyms.synonyms
import ingestion.admin.validity.proposals  # noqa: F401  (importing registers)
