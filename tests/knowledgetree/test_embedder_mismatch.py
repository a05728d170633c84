"""Vectors of two models are never mixed."""

import pytest
from django.contrib.auth.models import AnonymousUser
from pytest_django import Settings

from ingestion.errors import WrongEmbedder
from ingestion.models import Collection, Document, EmbeddingSpace
from ingestion.selectors import configured_model, embedder_of
from knowledgetree.diagnosis import diagnose
from rag.services.search import search_passages
from tests.conftest import AddDocument, index_in_job


@pytest.fixture
def index(db: None) -> AddDocument:
    return index_in_job


@pytest.fixture
def other_model(public: Collection, index: AddDocument) -> None:
    index(public, "Urlop wynosi 26 dni.")
    EmbeddingSpace.objects.update(model="BAAI/bge-m3")


@pytest.mark.usefixtures("other_model")
def test_vectors_of_another_model_are_not_searched_and_the_search_says_so(anonymous: AnonymousUser) -> None:
    with pytest.raises(WrongEmbedder, match="reembed"):
        embedder_of(EmbeddingSpace.objects.get())
    result = search_passages(query="urlop", viewer=anonymous)
    assert [passage.explanation.dense_rank for passage in result.passages] == [None]
    assert any("BAAI/bge-m3" in entry.reason for entry in result.trace)


def test_a_space_goes_on_when_the_settings_change(
    public: Collection, index: AddDocument, anonymous: AnonymousUser, settings: Settings
) -> None:
    index(public, "Urlop wynosi 26 dni.")
    settings.RAG = {**settings.RAG, "embedder": "hashing"}
    [passage] = search_passages(query="urlop", viewer=anonymous).passages
    assert passage.explanation.dense_rank == 1
    [finding] = [finding for finding in diagnose() if finding.subject == "Wektory"]
    assert finding.well is False
    assert "reembed" in finding.remedy


@pytest.mark.usefixtures("other_model")
def test_indexing_with_another_model_fails_with_the_remedy(public: Collection, index: AddDocument) -> None:
    document = index(public, "Inny dokument.", name="inny.txt")
    assert document.status == Document.Status.FAILED
    assert document.error_code == "wrong_embedder"
    assert "BAAI/bge-m3" in document.error_message


@pytest.mark.usefixtures("other_model")
def test_doctor_compares_the_models() -> None:
    [finding] = [finding for finding in diagnose() if finding.subject == "Wektory"]
    assert finding.well is False
    assert "BAAI/bge-m3" in finding.detail
    assert "reembed" in finding.remedy


def test_the_configured_model_is_read_without_loading_it(settings: Settings) -> None:
    embedders = {"heavy": {"backend": "nowhere.Heavy", "options": {"model": "org/heavy"}}}
    settings.RAG = {**settings.RAG, "components": {"embedders": embedders}}
    assert configured_model("heavy") == "org/heavy"
