"""A generation's collection in Qdrant: its vectors, its indexes of the payload, made and deleted."""

from typing import Any

from ingestion.models import EmbeddingSpace, EngineGeneration
from ingestion.text.index_format.points import WORDS, sentences_name, vector_name
from knowledgetree.search_engine.configuration import SearchEngineSettings
from knowledgetree.search_engine.connection import Engine


def create_collection(engine: Engine, generation: EngineGeneration, settings: SearchEngineSettings) -> None:
    """Safe to call again: what a killed process began is gone on with. Raises EngineUnavailable."""
    from qdrant_client import models

    name = engine.collection(generation.pk)
    with engine.reach() as client:
        if not client.collection_exists(name):
            client.create_collection(
                name,
                vectors_config=_vectors(generation, on_disk=settings.on_disk),
                sparse_vectors_config={
                    WORDS: models.SparseVectorParams(
                        index=models.SparseIndexParams(on_disk=settings.on_disk, datatype=models.Datatype.FLOAT16)
                    )
                },
                shard_number=settings.shards,
                replication_factor=settings.replicas,
                write_consistency_factor=settings.replicas,  # a reader of any replica sees what was acknowledged
                on_disk_payload=True,
            )
        for field, schema in _indexes().items():
            client.create_payload_index(name, field, field_schema=schema, wait=True)


def delete_collection(engine: Engine, generation: EngineGeneration) -> None:
    """Safe to call again. Raises EngineUnavailable."""
    with engine.reach() as client:
        client.delete_collection(engine.collection(generation.pk))


def _vectors(generation: EngineGeneration, *, on_disk: bool) -> dict[str, Any]:
    """Half precision is enough to find: PostgreSQL compares what is found with the whole numbers."""
    from qdrant_client import models

    vectors: dict[str, Any] = {}
    half: dict[str, Any] = {"distance": models.Distance.COSINE, "datatype": models.Datatype.FLOAT16, "on_disk": on_disk}
    for space in EmbeddingSpace.objects.filter(pk__in=generation.spaces):
        vectors[vector_name(space.pk)] = models.VectorParams(size=space.dimension, **half)
        if space.sentence_vectors:
            nearest = models.MultiVectorConfig(comparator=models.MultiVectorComparator.MAX_SIM)
            vectors[sentences_name(space.pk)] = models.VectorParams(
                size=space.dimension, multivector_config=nearest, **half
            )
    return vectors


def _indexes() -> dict[str, Any]:
    """The collection is Qdrant's tenant: its points lie together."""
    from qdrant_client import models

    whole = models.PayloadSchemaType.INTEGER
    words = models.PayloadSchemaType.KEYWORD
    return {
        "collection": models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, is_tenant=True),
        "document": whole,
        "source": whole,
        "readership": whole,
        "valid_from": whole,
        "valid_to": whole,
        "modified": models.PayloadSchemaType.FLOAT,
        **dict.fromkeys(("media_type", "language", "category", "tags", "version"), words),
    }
