"""The index of a space is its own."""

from typing import Any

import pytest
from django.db import connection

from ingestion.index.spaces import ensure_active_space
from ingestion.models import ChunkEmbedding, Collection, EmbeddingSpace
from tests.conftest import AddDocument


@pytest.mark.slow
def test_an_emptied_database_that_counts_anew_takes_vectors_of_another_dimension(
    settings: Any, public: Collection, index: AddDocument
) -> None:
    first = ensure_active_space()
    EmbeddingSpace.objects.all().delete()
    with connection.cursor() as cursor:
        cursor.execute("SELECT setval(pg_get_serial_sequence('ingestion_embeddingspace', 'id'), %s, false)", [first.pk])

    small = {"backend": "ingestion.embedding.hashing.HashingEmbedder", "options": {"dimension": 8}}
    components = {**settings.RAG["components"], "embedders": {"small": small}}
    settings.RAG = {**settings.RAG, "embedder": "small", "components": components}
    index(public, "Urlop trwa 26 dni.")
    second = ensure_active_space()
    assert (second.pk, second.dimension) == (first.pk, 8)
    assert ChunkEmbedding.objects.filter(space=second).exists()
