"""What the engine is told: everything, at least once, whoever is killed or away meanwhile."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection, transaction

from ingestion.errors import GenerationNotReady
from ingestion.index.engine.changes import tell_changes, waiting_changes
from ingestion.index.engine.chore import tell_engine
from ingestion.index.engine.generations import (
    begin_generation,
    drop_retired,
    fill_generation,
    switch_generation,
)
from ingestion.index.engine.verification import compare
from ingestion.models import Chunk, Collection, Document, EngineChange, EngineGeneration
from ingestion.services.chunks import edit_chunk, set_chunk_enabled
from ingestion.services.documents import delete_document
from knowledgetree.conf import LexicalSettings
from knowledgetree.search_engine.connection import EngineUnavailable
from tests.conftest import AddDocument
from tests.databases import database_url
from tests.search_engine import RunningEngine, running_engine

TELL = "import django; django.setup(); from ingestion.index.engine.chore import tell_engine; tell_engine()"


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[RunningEngine]:
    with running_engine(tmp_path / "qdrant") as running:
        yield running


@pytest.fixture
def letters(public: Collection, index: AddDocument) -> list[Document]:
    return [index(public, f"Pismo numer {n} o urlopie", name=f"{n}.txt", title=f"Pismo {n}") for n in range(5)]


def differences(engine: RunningEngine) -> list[int]:
    generation = EngineGeneration.objects.exclude(status="retired").latest("pk")
    return [chunk for difference in compare(engine.way, generation) for chunk in difference.chunks]


def noted() -> set[int]:
    return set(EngineChange.objects.values_list("chunk_id", flat=True))


def test_nothing_is_noted_while_no_generation_lives(letters: list[Document]) -> None:
    edit_chunk(chunk=letters[0].chunks.get(), text="Inne pismo")
    assert noted() == set()


def test_every_kind_of_change_is_noted(engine: RunningEngine, letters: list[Document], index: AddDocument) -> None:
    engine.switch()
    new, edited, disabled, deleted, described = index(letters[0].collection, "Nowe"), *letters[:4]
    told = set(noted())
    assert told == set(new.chunks.values_list("pk", flat=True))
    gone = deleted.chunks.get().pk
    edit_chunk(chunk=edited.chunks.get(), text="Inaczej")
    set_chunk_enabled(chunk=disabled.chunks.get(), enabled=False)
    delete_document(document=deleted)
    Document.objects.filter(pk=described.pk).update(category="umowa")
    assert noted() - told == {edited.chunks.get().pk, disabled.chunks.get().pk, gone, described.chunks.get().pk}
    engine.tell()
    assert noted() == set()
    assert differences(engine) == []


def test_what_changes_nothing_that_is_searched_is_not_noted(engine: RunningEngine, letters: list[Document]) -> None:
    engine.switch()
    Document.objects.update(chunk_count=1, error_message="")
    assert noted() == set()


def test_what_is_rolled_back_is_not_told(engine: RunningEngine, letters: list[Document]) -> None:
    engine.switch()
    with transaction.atomic():
        set_chunk_enabled(chunk=letters[0].chunks.get(), enabled=False)
        transaction.set_rollback(True)
    assert noted() == set()


def test_an_engine_that_is_away_is_told_later(engine: RunningEngine, letters: list[Document]) -> None:
    generation = engine.switch()
    set_chunk_enabled(chunk=letters[0].chunks.get(), enabled=False)
    engine.server.broken = True
    with pytest.raises(EngineUnavailable):
        tell_changes(engine.way, generation)
    assert tell_engine() == 0
    assert waiting_changes(generation) > 0
    engine.server.broken = False
    assert tell_engine() > 0
    assert differences(engine) == []


def test_who_fails_repeatedly_is_left_alone(engine: RunningEngine, letters: list[Document]) -> None:
    generation = engine.switch()
    set_chunk_enabled(chunk=letters[0].chunks.get(), enabled=False)
    engine.server.broken = True
    asked = len(engine.server.requests)
    for _ in range(6):
        with pytest.raises(EngineUnavailable):
            tell_changes(engine.way, generation)
    assert len(engine.server.requests) - asked == 3


def test_told_twice_is_told_once(engine: RunningEngine, letters: list[Document]) -> None:
    generation = engine.switch()
    edit_chunk(chunk=letters[0].chunks.get(), text="Inaczej")
    notes = list(EngineChange.objects.all())
    engine.tell()
    EngineChange.objects.bulk_create(notes)  # as a worker leaves them that died before it could forget them
    engine.tell()
    assert waiting_changes(generation) == 0
    assert differences(engine) == []


def test_a_generation_is_filled_beside_the_one_that_serves(engine: RunningEngine, letters: list[Document]) -> None:
    first = engine.switch()
    second = engine.begin()
    set_chunk_enabled(chunk=letters[0].chunks.get(), enabled=False)
    assert EngineGeneration.objects.get(status="active") == first
    with pytest.raises(GenerationNotReady):
        switch_generation(engine.way)
    while fill_generation(engine.way, second):
        pass
    switch_generation(engine.way)
    assert EngineGeneration.objects.get(status="active") == second
    assert differences(engine) == []
    assert drop_retired(engine.way) == 0  # a search may still look into it
    EngineGeneration.objects.filter(pk=first.pk).update(retired="2020-01-01T00:00Z")
    assert drop_retired(engine.way) == 1
    assert list(engine.server.collections) == [engine.way.collection(second.pk)]


def test_a_filling_goes_on_where_it_was(
    engine: RunningEngine, letters: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ingestion.index.engine.generations.BATCH", 2)
    generation = engine.begin()
    assert fill_generation(engine.way, generation) == 2
    again = begin_generation(engine.way, settings=engine.settings, lexical=LexicalSettings())
    assert again.pk == generation.pk
    assert [fill_generation(engine.way, again) for _ in range(3)] == [2, 1, 0]
    assert differences(engine) == []


def test_back_to_postgres_nothing_is_noted_any_more(
    engine: RunningEngine, letters: list[Document], capsys: pytest.CaptureFixture[str]
) -> None:
    engine.switch()
    call_command("engine", "status", "--json")
    (told,) = json.loads(capsys.readouterr().out)["generations"]
    assert (told["status"], told["written"], told["waiting"]) == ("active", 5, 0)
    call_command("engine", "switch", "--to", "postgres")
    assert not EngineGeneration.objects.exclude(status="retired").exists()
    set_chunk_enabled(chunk=letters[0].chunks.get(), enabled=False)
    assert noted() == set()


def test_verify_finds_what_the_engine_lost_and_has_too_much(
    engine: RunningEngine, letters: list[Document], capsys: pytest.CaptureFixture[str]
) -> None:
    generation = engine.switch()
    name = engine.way.collection(generation.pk)
    chunks = sorted(Chunk.objects.values_list("pk", flat=True))
    with engine.way.reach() as client:
        client.delete(name, [chunks[0]])
    with connection.cursor() as cursor:  # behind the triggers' back, as if the engine came from a copy of yesterday
        words = "SELECT terms FROM ingestion_chunkwords WHERE chunk_id = %s"
        cursor.execute(f"UPDATE ingestion_chunkwords SET terms = ({words}) WHERE chunk_id = %s", [chunks[2], chunks[1]])
        cursor.execute("UPDATE ingestion_chunk SET enabled = false WHERE id = %s", [chunks[2]])
    (found,) = compare(engine.way, generation)
    assert (found.missing, found.changed, found.surplus) == ([chunks[0]], [chunks[1]], [chunks[2]])
    with pytest.raises(CommandError):
        call_command("engine", "verify")
    call_command("engine", "verify", "--repair")
    call_command("engine", "verify")
    assert differences(engine) == []


def test_without_an_address_the_command_says_what_to_set(db: None) -> None:
    with pytest.raises(CommandError, match="QDRANT_URL"):
        call_command("engine", "rebuild")


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_killed_filling_and_a_killed_sender_lose_nothing(
    engine: RunningEngine, public: Collection, index: AddDocument
) -> None:
    """Each is killed while the server has what it wrote and says nothing."""
    documents = [index(public, f"Pismo numer {n} o urlopie", name=f"{n}.txt", title=f"Pismo {n}") for n in range(5)]
    call_command("engine", "rebuild", "--switch", "--verbosity=0")
    edit_chunk(chunk=documents[0].chunks.get(), text="Inne pismo")
    kill_in_the_middle(engine, "-c", TELL)
    assert noted() == {documents[0].chunks.get().pk}
    assert tell_engine() > 0
    assert differences(engine) == []
    kill_in_the_middle(engine, "manage.py", "engine", "rebuild")
    call_command("engine", "rebuild", "--switch", "--verbosity=0")
    assert differences(engine) == []
    assert EngineGeneration.objects.get(status="active").filled is not None


def kill_in_the_middle(engine: RunningEngine, *command: str) -> None:
    engine.server.deaf = True
    before = len(engine.server.requests)
    process = subprocess.Popen(
        [sys.executable, *command],
        cwd=settings.BASE_DIR,
        env=os.environ
        | {
            "DJANGO_SETTINGS_MODULE": "knowledgetree.settings",
            "DATABASE_URL": database_url(connection.settings_dict["NAME"]),
            "VAR_DIR": str(settings.MEDIA_ROOT),
            "SEARCH_ENGINE": "qdrant",
            "QDRANT_URL": engine.server.url,
        },
    )
    with engine.server.changed:
        engine.server.changed.wait_for(
            lambda: any(one.startswith("PUT") and one.endswith("/points") for one in engine.server.requests[before:]),
            timeout=60,
        )
    process.send_signal(signal.SIGKILL)
    process.wait()
    engine.server.deaf = False
