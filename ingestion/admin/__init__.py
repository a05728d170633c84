"""The editors' side of the knowledge base. One folder a family of models."""

import ingestion.admin.access.accounts  # noqa: F401  (importing registers)
import ingestion.admin.chunks.chunks  # noqa: F401  (importing registers)
import ingestion.admin.collections.collections  # noqa: F401  (importing registers)
import ingestion.admin.collections.rechunking  # noqa: F401  (importing registers)
import ingestion.admin.documents.documents  # noqa: F401  (importing registers)
import ingestion.admin.documents.erasing  # noqa: F401  (importing registers)
import ingestion.admin.jobs.jobs  # noqa: F401  (importing registers)
import ingestion.admin.sources.sources  # noqa: F401  (importing registers)
import ingestion.admin.sources.sync_reports  # noqa: F401  (importing registers)
import ingestion.admin.spaces.spaces  # noqa: F401  (importing registers)
import ingestion.admin.synonyms.glossary  # noqa: F401  (importing registers)
import ingestion.admin.synonyms.synonyms  # noqa: F401  (importing registers)
