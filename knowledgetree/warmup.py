"""What a web process loads before its first reader would have to wait for it."""

import gc
import logging

from ingestion.models import TermStatistics
from ingestion.selectors import operator
from ingestion.text.analyser import analyser
from knowledgetree.postgres.connections import borrowed_connections
from rag.services.search import search_passages

log = logging.getLogger("knowledgetree.web")


_FREQUENT = 30_000  # words


@borrowed_connections()
def warm_up() -> None:
    """Dictionaries, the embedding model, a database connection, and the lemmas of the words most documents use. None of
    it is ever garbage: looking for it there again would stop all readers for a third of a second.
    """
    try:
        search_passages(query="Kto pyta, nie błądzi", viewer=operator())
        frequent = TermStatistics.objects.order_by("-form_chunks").values_list("term__text", flat=True)[:_FREQUENT]
        analyser().words(" ".join(frequent))
    except Exception:  # a server without a database should still say so page by page
        log.exception("warming up failed")
    gc.freeze()
