"""Vectors of two models are never mixed."""

import pytest
from django.contrib.auth.models import AnonymousUser
from pytest_django import Settings

from ingestion.errors import WrongEmbedder
from ingestion.models import Collection, Document, EmbeddingSpace
from ingestion.selectors import configured_model
from knowledgetree.diagnosis import diagnose
from rag.services.search import search
from tests.conftest import AddDocument


@pytest.fixture
def other_model(public: Collection, index: AddDocument) -> None:
    index(public, "Urlop wynosi 26 dni.")
    EmbeddingSpace.objects.update(model="BAAI/bge-m3")


@pytest.mark.usefixtures("other_model")
def test_a_search_with_another_model_says_which_one_to_set(anonymous: AnonymousUser) -> None:
    with pytest.raises(WrongEmbedder, match="EMBEDDING_MODEL=BAAI/bge-m3"):
        search(query="urlop", viewer=anonymous)


@pytest.mark.usefixtures("other_model")
def test_indexing_with_another_model_fails_with_the_remedy(public: Collection, index: AddDocument) -> None:
    document = index(public, "Inny dokument.", name="inny.txt")
    assert document.status == Document.Status.FAILED
    assert document.error_code == "wrong_embedder"
    assert "EMBEDDING_MODEL=BAAI/bge-m3" in document.error_message


@pytest.mark.usefixtures("other_model")
def test_doctor_compares_the_models() -> None:
    [finding] = [finding for finding in diagnose() if finding.subject == "Wektory"]
    assert finding.well is False
    assert "BAAI/bge-m3" in finding.remedy


def test_the_configured_model_is_read_without_loading_it(settings: Settings) -> None:
    embedders = {"heavy": {"backend": "nowhere.Heavy", "options": {"model": "org/heavy"}}}
    settings.RAG = {**settings.RAG, "components": {"embedders": embedders}}
    assert configured_model("heavy") == "org/heavy"
