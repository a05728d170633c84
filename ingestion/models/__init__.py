"""The knowledge base in tables, one family a file."""

from ingestion.models.documents import Chunk, Document, Extraction
from ingestion.models.embedding_cache import EmbeddingCacheEntry
from ingestion.models.embeddings import ChunkEmbedding, EmbeddingSpace
from ingestion.models.glossary import GlossaryEntry
from ingestion.models.graph import Entity, EntityMention
from ingestion.models.jobs import Job
from ingestion.models.knowledge_version import KnowledgeChange
from ingestion.models.postings import CollectionStatistics, Posting, Term, TermStatistics
from ingestion.models.sources import Collection, Source
from ingestion.models.synonyms import Synonym, SynonymGroup

__all__ = [
    "Chunk",
    "ChunkEmbedding",
    "Collection",
    "CollectionStatistics",
    "Document",
    "EmbeddingCacheEntry",
    "EmbeddingSpace",
    "Entity",
    "EntityMention",
    "Extraction",
    "GlossaryEntry",
    "Job",
    "KnowledgeChange",
    "Posting",
    "Source",
    "Synonym",
    "SynonymGroup",
    "Term",
    "TermStatistics",
]
