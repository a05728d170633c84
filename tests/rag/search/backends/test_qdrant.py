"""Qdrant beside PostgreSQL keeps the contract of search backends: the real engine behind a real address, on two shards,
and the client's own imitation of it.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ingestion.index.engine.changes import tell_changes
from ingestion.index.engine.generations import begin_generation, fill_generation, living_generations, switch_generation
from knowledgetree.conf import LexicalSettings
from knowledgetree.search_engine.configuration import SearchEngineSettings
from knowledgetree.search_engine.connection import Engine
from rag.search.retrieval.backends.postgres import PostgresBackend
from rag.search.retrieval.backends.qdrant import QdrantBackend
from tests.rag.search.backends.contract import SETTINGS, BackendContract, Tell
from tests.search_engine import running_engine


class QdrantContract(BackendContract):
    """`engine` is the way to it. The first time that it is told, it gets a generation, which is searched from then."""

    @pytest.fixture
    def engine(self, tmp_path: Path) -> Iterator[Engine]:
        raise NotImplementedError

    @pytest.fixture
    def backend(self, engine: Engine) -> QdrantBackend:
        return QdrantBackend(lambda: engine, SETTINGS, otherwise=PostgresBackend(SETTINGS))

    @pytest.fixture
    def tell(self, engine: Engine) -> Tell:
        def tell() -> None:
            if not living_generations():
                generation = begin_generation(engine, settings=SearchEngineSettings(), lexical=LexicalSettings())
                while fill_generation(engine, generation):
                    pass
                switch_generation(engine)
            for generation in living_generations():
                while tell_changes(engine, generation):
                    pass

        return tell


class TestQdrantEngine(QdrantContract):
    @pytest.fixture
    def engine(self, tmp_path: Path) -> Iterator[Engine]:
        with running_engine(tmp_path / "qdrant", shards=2) as running:
            yield running.way


class TestLocalMode(QdrantContract):
    @pytest.fixture
    def engine(self) -> Engine:
        from qdrant_client import QdrantClient

        return Engine(QdrantClient(":memory:"), prefix="knowledgetree")
