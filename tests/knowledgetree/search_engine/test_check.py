"""What `doctor` says of the search engine."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db.models import F
from django.utils import translation

from ingestion.models import Collection, EngineChange, EngineGeneration
from knowledgetree.search_engine.check import search_engine
from knowledgetree.search_engine.configuration import SearchEngineSettings
from tests.conftest import AddDocument
from tests.search_engine import RunningEngine, running_engine


@pytest.fixture
def engine(tmp_path: Path, public: Collection, index: AddDocument) -> Iterator[RunningEngine]:
    index(public, "Faktura za urlop")
    with translation.override("en"), running_engine(tmp_path / "qdrant") as running:
        yield running


def test_an_engine_that_is_searched_is_well_until_it_is_away(engine: RunningEngine) -> None:
    assert "rebuild --switch" in search_engine().remedy
    engine.switch()
    assert search_engine().well
    engine.server.broken = True
    assert search_engine().well is False
    assert "PostgreSQL searches meanwhile" in search_engine().remedy


def test_a_generation_that_is_behind_or_old_is_told_of(engine: RunningEngine) -> None:
    generation = engine.switch()
    EngineGeneration.objects.update(mean_length=F("mean_length") * 1.5)
    assert "33 %" in search_engine().detail
    EngineChange.objects.bulk_create(EngineChange(generation=generation, chunk_id=n) for n in range(2001))
    assert "2001" in search_engine().detail
    EngineChange.objects.all().delete()
    EngineGeneration.objects.update(spaces=[])
    assert "lacks the vectors" in search_engine().detail


def test_changes_that_nobody_is_told_of_are_a_fault(tmp_path: Path, public: Collection, index: AddDocument) -> None:
    assert search_engine().well is None
    index(public, "Faktura za urlop")
    with running_engine(tmp_path / "qdrant") as running:
        running.switch()
    assert search_engine().well is False


def test_a_wrong_setting_is_refused() -> None:
    with pytest.raises(ImproperlyConfigured, match="elastic"):
        SearchEngineSettings(backend="elastic")
    with pytest.raises(ImproperlyConfigured, match="QDRANT_URL"):
        SearchEngineSettings(backend="qdrant")
