"""The whole way with a real sentence-transformers model: indexed, searched, cited."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from ingestion.models import Collection, EmbeddingSpace
from rag.services.search import search_passages
from tests.conftest import AddDocument
from tests.ingestion.embedding.models import build_model


@pytest.fixture
def neural(settings: Any, tmp_path: Path) -> None:
    model = {
        "backend": "ingestion.embedding.sentence_transformer.SentenceTransformerEmbedder",
        "options": {"model": str(build_model(tmp_path))},
    }
    settings.RAG = {
        **settings.RAG,
        "embedder": "tiny",
        "components": {**settings.RAG["components"], "embedders": {"tiny": model}},
    }


@pytest.mark.slow
@pytest.mark.usefixtures("neural")
def test_passages_are_found_by_their_vectors(public: Collection, index: AddDocument) -> None:
    for n, text in enumerate(["urlop wypoczynkowy", "faktura korygująca", "hasło do sieci"]):
        index(public, text, name=f"{n}.txt")
    space = EmbeddingSpace.objects.get()
    assert (space.embedder, space.dimension, space.template_version) == ("tiny", 32, 1)
    passages = search_passages(query="zupełnie inne słowa", viewer=AnonymousUser()).passages
    assert len(passages) == 3
    assert all(passage.explanation.dense_rank and passage.explanation.lexical_rank is None for passage in passages)
