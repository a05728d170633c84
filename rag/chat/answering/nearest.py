"""What comes nearest to a question that the sources do not answer."""

from ingestion.models.viewers import Viewer
from knowledgetree.errors import KnowledgeTreeError
from rag.models import Exchange
from rag.services.search import search_passages
from rag.types import Passage

SHOWN = 4


def nearest_passages(exchange: Exchange, viewer: Viewer) -> tuple[Passage, ...]:
    """Searched anew, because an exchange keeps only what it cites; so they are what `viewer` may read today."""
    if exchange.outcome in ("answered", "erased"):
        return ()
    try:
        return search_passages(query=exchange.question, viewer=viewer, top_k=SHOWN).passages
    except KnowledgeTreeError:
        return ()
