"""What is done at night."""

from django.db import connection

from ingestion.embedding.cache import purge_embedding_cache
from ingestion.knowledge_version import fold_changes
from ingestion.terms import complete_lemmas


def maintain_index() -> None:
    """Pack the index of the postings, which grows half empty as documents come in; searches go on meanwhile. Forget
    vectors that nobody has used for long, and give terms of older releases their lemmas.
    """
    purge_embedding_cache()
    fold_changes()
    complete_lemmas()
    with connection.cursor() as cursor:
        cursor.execute("REINDEX INDEX CONCURRENTLY ingestion_posting_pkey")
        cursor.execute("VACUUM (ANALYZE) ingestion_posting, ingestion_knowledgechange")
