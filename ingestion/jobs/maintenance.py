"""What is done at night."""

import time

from django.db import connection
from django.utils.module_loading import import_string

from ingestion.embedding.cache import purge_embedding_cache
from ingestion.index.terms import complete_lemmas
from ingestion.models import EmbeddingSpace
from ingestion.renewal.reembedding.indexing import build_index, has_index
from ingestion.selectors.knowledge_version import fold_changes
from knowledgetree.http.allowances import forget_spent

_REFRESH = "ingestion.services.entities.refresh_entities"  # services stand above jobs, so they are known by name alone
_ORPHANS = "ingestion.services.files.originals.forget_orphans"
_NAMES_SECONDS = 900.0  # a task of the queue may last 1800


def maintain_index() -> None:
    """Pack the index of the postings, which grows half empty as documents come in; searches go on meanwhile. Forget
    vectors that nobody has used for long and originals that no document has, and give what older releases indexed its
    lemmas and names. A space whose index a killed load of many documents left out gets it.
    """
    index_active_space()
    purge_embedding_cache()
    import_string(_ORPHANS)()
    fold_changes()
    complete_lemmas()
    forget_spent()
    with connection.cursor() as cursor:
        cursor.execute("REINDEX INDEX CONCURRENTLY ingestion_posting_pkey")
        cursor.execute("VACUUM (ANALYZE) ingestion_posting, ingestion_knowledgechange")
    renew_names()


def index_active_space() -> None:
    """Make the HNSW index of the active space if it is not there."""
    for space in EmbeddingSpace.objects.filter(status=EmbeddingSpace.Status.ACTIVE):
        if not has_index(space):
            build_index(space)


def renew_names() -> int:
    """Recognise anew what an older release recognised in the documents; how many were read. What time does not allow
    is done another night.
    """
    end = time.monotonic() + _NAMES_SECONDS
    read: int = import_string(_REFRESH)(stopped=lambda: time.monotonic() >= end)
    return read
