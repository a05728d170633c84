"""Five documents, and settings with an embedder that can be interrupted."""

from copy import deepcopy
from typing import Any

import pytest

from ingestion.models import Document
from tests.conftest import index_text, make_public
from tests.ingestion.renewal.reembedding.interrupted import BACKEND, InterruptedEmbedder
from tests.kept import Kept

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


@pytest.fixture(scope="module")
def kept_five(kept_rows: Kept) -> list[Document]:
    with kept_rows.writing():
        return [index_text(make_public(), text, name=f"{n}.txt") for n, text in enumerate(FIVE)]


@pytest.fixture
def five(kept_five: list[Document], db: None) -> list[Document]:
    return deepcopy(kept_five)
