"""What a web process loads before its first reader would have to wait for it."""

import logging

from django.db import connections

from ingestion.selectors import operator
from rag.services.search import search

log = logging.getLogger("knowledgetree.web")


def warm_up() -> None:
    """Dictionaries, the embedding model and a database connection, by a search whose result nobody sees."""
    try:
        search(query="Kto pyta, nie błądzi", viewer=operator())
    except Exception:  # a server without a database should still say so page by page
        log.exception("warming up failed")
    finally:
        connections.close_all()
