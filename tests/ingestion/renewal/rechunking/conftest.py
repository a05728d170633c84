"""Five documents, and settings with a chunker that can be interrupted."""

from typing import Any

import pytest

from ingestion.models import Collection, Document
from ingestion.renewal.rechunking import batch as batches
from tests.conftest import AddDocument
from tests.ingestion.renewal.rechunking.changing import WORDS, InterruptedChunker, text_about


@pytest.fixture(autouse=True)
def _settings(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    components = settings.RAG["components"]
    chunkers = {
        **components["chunkers"],
        "interrupted": {"backend": f"{InterruptedChunker.__module__}.InterruptedChunker"},
    }
    settings.RAG = {
        **settings.RAG,
        "components": {**components, "chunkers": chunkers},
        "reembedding": {"rest": 0.0, "retry_seconds": 30.0},
    }
    monkeypatch.setattr(batches, "_DOCUMENTS", 2)
    yield
    InterruptedChunker.meanwhile = None


@pytest.fixture
def five(public: Collection, index: AddDocument) -> list[Document]:
    return [index(public, text_about(word), name=f"{word}.txt") for word in WORDS]
