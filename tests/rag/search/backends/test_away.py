"""An engine that is away, or was filled when the knowledge base was another: PostgreSQL answers all the same."""

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from ingestion.models import Collection, EngineGeneration
from knowledgetree.conf import LexicalSettings
from rag.presets import preset
from rag.search.retrieval.backends.postgres import PostgresBackend
from rag.search.retrieval.backends.qdrant import QdrantBackend
from rag.search.retriever import HybridRetriever
from rag.types import Filters, SearchResult
from tests.conftest import AddDocument
from tests.rag.search.backends.contract import QUERIES, SETTINGS, by_words, text_of
from tests.search_engine import RunningEngine, running_engine


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[RunningEngine]:
    with running_engine(tmp_path / "qdrant") as running:
        yield running


def search(engine: RunningEngine, collection: Collection) -> SearchResult:
    retriever = HybridRetriever(preset=preset("offline"), lexical=LexicalSettings(), engine=engine.settings)
    return retriever.retrieve("faktura za urlop", collections=[collection], filters=Filters(), top_k=5)


def notices(result: SearchResult) -> list[str]:
    return [entry.reason for entry in result.trace if entry.stage == "engine"]


def test_searches_go_to_postgres_with_a_notice(engine: RunningEngine, public: Collection, index: AddDocument) -> None:
    for n in range(3):
        index(public, f"Faktura {n} za urlop", name=f"{n}.txt")
    engine.switch()
    with_engine = search(engine, public)
    assert any("query" in request for request in engine.server.requests)
    assert notices(with_engine) == []
    engine.server.broken = True
    without = search(engine, public)
    assert len(notices(without)) == 1
    assert [one.chunk_id for one in without.passages] == [one.chunk_id for one in with_engine.passages]
    engine.server.broken = False


def test_without_the_package_searches_go_to_postgres_too(
    engine: RunningEngine, public: Collection, index: AddDocument, monkeypatch: pytest.MonkeyPatch
) -> None:
    index(public, "Faktura za urlop")
    engine.switch()
    engine.forget()
    monkeypatch.setitem(sys.modules, "qdrant_client", None)
    result = search(engine, public)
    assert len(result.passages) == len(notices(result)) == 1


@pytest.mark.slow
@pytest.mark.parametrize("drift", [0.3, 3.0])
def test_the_ranking_is_postgres_own_however_the_mean_length_has_drifted(
    engine: RunningEngine, public: Collection, index: AddDocument, drift: float
) -> None:
    source = Random(11)
    for n in range(40):
        index(public, text_of(source), name=f"{n}.txt", title=f"Pismo {n}")
    generation = engine.begin()
    EngineGeneration.objects.filter(pk=generation.pk).update(mean_length=generation.mean_length * drift)
    engine.switch()
    qdrant = QdrantBackend(lambda: engine.way, SETTINGS, otherwise=PostgresBackend(SETTINGS))
    for query in QUERIES:
        ours, theirs = (by_words(one, query, [public], limit=2) for one in (PostgresBackend(SETTINGS), qdrant))
        assert [chunk for chunk, _ in theirs] == [chunk for chunk, _ in ours]


def test_the_ranking_does_not_depend_on_the_shards(tmp_path: Path, public: Collection, index: AddDocument) -> None:
    source = Random(5)
    for n in range(15):
        index(public, text_of(source), name=f"{n}.txt", title=f"Pismo {n}")
    rankings = []
    for shards in (1, 3):
        with running_engine(tmp_path / str(shards), shards=shards) as engine:
            engine.switch()
            qdrant = QdrantBackend(lambda engine=engine: engine.way, SETTINGS, otherwise=PostgresBackend(SETTINGS))
            rankings.append([by_words(qdrant, query, [public]) for query in QUERIES])
    for one, three in zip(*rankings, strict=True):
        assert [chunk for chunk, _ in one] == [chunk for chunk, _ in three]
        assert dict(one) == pytest.approx(dict(three))  # PostgreSQL adds up in any order
        assert one
