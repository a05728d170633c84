"""A search engine for a test: a server, its settings, and a generation that searches look into."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.test import override_settings

from ingestion.index.engine.changes import tell_changes
from ingestion.index.engine.generations import (
    begin_generation,
    fill_generation,
    living_generations,
    switch_generation,
)
from ingestion.models import EngineGeneration
from knowledgetree.conf import LexicalSettings
from knowledgetree.search_engine.configuration import SearchEngineSettings
from knowledgetree.search_engine.connection import Engine, connect
from rag.search.retrieval.backends.choice import search_backend
from tests.qdrant_server import QdrantServer


class RunningEngine:
    """A server with what its settings are and the way of a writer to it."""

    def __init__(self, server: QdrantServer) -> None:
        self.server = server
        self.settings = SearchEngineSettings(backend="qdrant", url=server.url, seconds=5.0)

    @property
    def way(self) -> Engine:
        return connect(self.settings, writing=True)

    def forget(self) -> None:
        """As a process that has just started."""
        _forget()

    def begin(self) -> EngineGeneration:
        return begin_generation(self.way, settings=self.settings, lexical=LexicalSettings())

    def fill(self) -> EngineGeneration:
        generation = self.begin()
        while fill_generation(self.way, generation):
            pass
        return generation

    def switch(self) -> EngineGeneration:
        """A new generation, filled and searched."""
        self.fill()
        return switch_generation(self.way)

    def tell(self) -> None:
        """Everything that changed, to every generation."""
        for generation in living_generations():
            while tell_changes(self.way, generation):
                pass


@contextmanager
def running_engine(folder: Path, *, shards: int = 1) -> Iterator[RunningEngine]:
    """The settings name it while it runs."""
    _forget()
    with QdrantServer(folder, shards=shards) as server:
        engine = RunningEngine(server)
        named = {"backend": "qdrant", "url": server.url, "seconds": 5.0}
        with override_settings(RAG={**settings.RAG, "search_engine": named}):
            yield engine
    _forget()


def _forget() -> None:
    """A port that was a dead engine's may be a living one's in the next test."""
    connect.cache_clear()
    search_backend.cache_clear()
