"""Which chunker a document gets: the settings name one for all, and others for single collections."""

from typing import Any

import pytest
from django.conf import settings as configured
from django.core.exceptions import ImproperlyConfigured

from ingestion.chunking.protocol import Chunker
from ingestion.chunking.splitting import chunking_of, split
from ingestion.models import Collection
from ingestion.types import ChunkDraft, ExtractedText
from knowledgetree.components import component
from knowledgetree.conf import rag_settings
from tests.conftest import AddDocument

ACT = "# Regulamin\n\nArt. 1. Pierwszy przepis.\n\nArt. 2. Drugi przepis.\n"


def choose(settings: Any, **chunking: Any) -> None:
    settings.RAG = {**settings.RAG, "ingestion": {**settings.RAG.get("ingestion", {}), "chunking": chunking}}


def drafts_of(collection: Collection) -> list[ChunkDraft]:
    chunking = rag_settings().ingestion.chunking
    return split(ExtractedText(text=ACT, extractor="test"), chunking_of(collection, chunking), chunking)


@pytest.mark.parametrize("name", configured.RAG["components"]["chunkers"])
def test_every_declared_chunker_can_be_built(name: str) -> None:
    chunker: Chunker = component("chunkers", name, {"chunk_size": 64, "overlap": 8})
    assert len(chunker.split(ExtractedText(text="Jedno zdanie.", extractor="test"))) == 1


def test_the_settings_name_the_chunker(settings: Any) -> None:
    choose(settings, chunker="recursive")
    assert [draft.heading_path for draft in drafts_of(Collection(slug="jakas"))] == [()]


def test_an_unknown_chunker_is_named(settings: Any) -> None:
    choose(settings, chunker="prawniczy")
    with pytest.raises(ImproperlyConfigured, match="prawniczy"):
        drafts_of(Collection(slug="jakas"))


def test_a_collection_may_have_a_chunker_of_its_own(
    settings: Any, public: Collection, internal: Collection, index: AddDocument
) -> None:
    choose(settings, collections={internal.slug: "legal"})
    by_default, legal = index(public, ACT, name="akt.md"), index(internal, ACT, name="akt.md")
    assert [chunk.heading_path for chunk in by_default.chunks.all()] == [["Regulamin"]]
    assert [chunk.heading_path for chunk in legal.chunks.order_by("ordinal")] == [[], ["art. 1"], ["art. 2"]]


def test_what_a_collection_was_given_goes_before_the_settings(
    settings: Any, public: Collection, index: AddDocument
) -> None:
    choose(settings, collections={public.slug: "recursive"})
    public.chunking = {"chunker": "legal", "chunk_size": 64, "overlap": 8, "options": {}}
    public.save()
    document = index(public, ACT, name="akt.md")
    assert [chunk.heading_path for chunk in document.chunks.order_by("ordinal")] == [[], ["art. 1"], ["art. 2"]]
    assert document.chunking["chunker"] == "legal"
