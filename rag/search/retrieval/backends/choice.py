"""Which backend the settings name."""

from functools import lru_cache, partial

from knowledgetree.conf import LexicalSettings
from knowledgetree.search_engine.configuration import QDRANT, SearchEngineSettings
from knowledgetree.search_engine.connection import connect
from rag.search.retrieval.backends.postgres import PostgresBackend
from rag.search.retrieval.backends.protocol import SearchBackend
from rag.search.retrieval.backends.qdrant import QdrantBackend


@lru_cache(maxsize=4)
def search_backend(engine: SearchEngineSettings, lexical: LexicalSettings) -> SearchBackend:
    """The one of this process. Nothing is connected to before it is asked."""
    postgres = PostgresBackend(lexical)
    if engine.backend != QDRANT:
        return postgres
    return QdrantBackend(partial(connect, engine), lexical, otherwise=postgres)
