"""The knowledge base in tables, one family a file."""

from ingestion.models.api_keys import ApiKey
from ingestion.models.attempts import JobAttempt
from ingestion.models.documents import Chunk, Document, Extraction, Readership
from ingestion.models.embedding_cache import EmbeddingCacheEntry
from ingestion.models.embeddings import ChunkEmbedding, EmbeddingSpace
from ingestion.models.erasures import Erasure
from ingestion.models.glossary import GlossaryEntry
from ingestion.models.graph import Entity, EntityMention
from ingestion.models.jobs import Job
from ingestion.models.knowledge_version import KnowledgeChange
from ingestion.models.personal_data import PersonalData
from ingestion.models.postings import (
    ChunkWords,
    CollectionStatistics,
    LoadedDocument,
    Posting,
    PostingList,
    Term,
    TermStatistics,
)
from ingestion.models.rechunking import RechunkedCollection, Rechunking
from ingestion.models.search_engine import EngineChange, EngineGeneration
from ingestion.models.similarity import ChunkSketch, DocumentSketch, SimilarDocument
from ingestion.models.sources import Collection, Source
from ingestion.models.sync import SourceAddress, SyncReport
from ingestion.models.synonyms import LexiconPack, Synonym, SynonymGroup
from ingestion.models.validity import ValidityProposal
from ingestion.models.versions import DocumentVersion

__all__ = [
    "ApiKey",
    "Chunk",
    "ChunkEmbedding",
    "ChunkSketch",
    "ChunkWords",
    "Collection",
    "CollectionStatistics",
    "Document",
    "DocumentSketch",
    "DocumentVersion",
    "EmbeddingCacheEntry",
    "EmbeddingSpace",
    "EngineChange",
    "EngineGeneration",
    "Entity",
    "EntityMention",
    "Erasure",
    "Extraction",
    "GlossaryEntry",
    "Job",
    "JobAttempt",
    "KnowledgeChange",
    "LexiconPack",
    "LoadedDocument",
    "PersonalData",
    "Posting",
    "PostingList",
    "Readership",
    "RechunkedCollection",
    "Rechunking",
    "SimilarDocument",
    "Source",
    "SourceAddress",
    "SyncReport",
    "Synonym",
    "SynonymGroup",
    "Term",
    "TermStatistics",
    "ValidityProposal",
]
