"""Five documents, and settings with an embedder that can be interrupted."""

from typing import Any

import pytest

from ingestion.models import Collection, Document
from tests.conftest import AddDocument
from tests.ingestion.renewal.reembedding.interrupted import BACKEND, InterruptedEmbedder

FIVE = ["urlop wypoczynkowy", "faktura korygująca", "hasło do sieci", "delegacja służbowa", "umowa o pracę"]


@pytest.fixture(autouse=True)
def _settings(settings: Any) -> Any:
    embedders = {**settings.RAG["components"]["embedders"], "other": {"backend": BACKEND}}
    settings.RAG = {
        **settings.RAG,
        "components": {**settings.RAG["components"], "embedders": embedders},
        "reembedding": {"batch": 2, "rest": 0.0, "retry_seconds": 30.0},
    }
    yield
    InterruptedEmbedder.meanwhile = None


@pytest.fixture
def five(public: Collection, index: AddDocument) -> list[Document]:
    return [index(public, text, name=f"{n}.txt") for n, text in enumerate(FIVE)]
