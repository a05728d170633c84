"""Five documents, and settings with a chunker that can be interrupted."""

from copy import deepcopy
from typing import Any

import pytest

from ingestion.models import Document
from ingestion.renewal.rechunking import batch as batches
from tests.conftest import index_text, make_public
from tests.ingestion.renewal.rechunking.changing import WORDS, InterruptedChunker, text_about
from tests.kept import Kept


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


@pytest.fixture(scope="module")
def kept_five(kept_rows: Kept) -> list[Document]:
    with kept_rows.writing():
        return [index_text(make_public(), text_about(word), name=f"{word}.txt") for word in WORDS]


@pytest.fixture
def five(kept_five: list[Document], db: None) -> list[Document]:
    return deepcopy(kept_five)
