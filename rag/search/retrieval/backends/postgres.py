"""PostgreSQL alone: BM25 over its postings, vectors by its indexes."""

from knowledgetree.conf import LexicalSettings
from rag.search.retrieval.dense import DenseRetriever
from rag.search.retrieval.lexical import LexicalRetriever


class PostgresBackend:
    """The two retrievers under the names of the protocol, called without a step between."""

    def __init__(self, settings: LexicalSettings) -> None:
        self.by_words = LexicalRetriever(settings).retrieve
        self.by_vector = DenseRetriever().retrieve
