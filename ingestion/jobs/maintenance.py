"""What is done at night."""

from django.db import connection


def maintain_index() -> None:
    """Pack the index of the postings, which grows half empty as documents come in; searches go on meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute("REINDEX INDEX CONCURRENTLY ingestion_posting_pkey")
        cursor.execute("VACUUM (ANALYZE) ingestion_posting")
