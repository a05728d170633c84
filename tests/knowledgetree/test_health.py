import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils import timezone
from django_q.models import Schedule

from ingestion.models import Collection
from knowledgetree import health, readiness
from tests.conftest import AddDocument

MINUTELY = "knowledgetree: recover jobs"


def test_the_process_lives_without_a_database(client: Client) -> None:
    """Without the fixture that opens it, a test that touches the database fails."""
    response = client.get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})
    assert "no-store" in response["Cache-Control"]
    assert response.cookies == {}


@pytest.mark.django_db
def test_an_installation_without_documents_serves_readers(client: Client) -> None:
    """The checks have connections of their own: they see what is committed, which is a migrated, empty database."""
    response = client.get("/readyz")
    told = response.json()
    checks = {check["name"]: check for check in told["checks"]}
    assert response.status_code == 200
    assert (checks["database"]["well"], checks["migrations"]["well"]) == (True, True)
    assert (told["status"], checks["embedding_space"]["well"]) == ("degraded", False)
    assert "doctor" in checks["embedding_space"]["remedy"]
    assert "no-store" in response["Cache-Control"]
    assert response.cookies == {}


@pytest.mark.django_db
def test_without_its_database_nobody_is_sent_here_and_no_secret_is_told(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = {"HOST": "127.0.0.1", "PORT": "1", "USER": "tajny-login", "PASSWORD": "tajne-haslo"}
    for name, value in {**gone, "EMBEDDED_DIRECTORY": None}.items():
        monkeypatch.setitem(connections.settings["default"], name, value)
    response = client.get("/readyz")
    assert (response.status_code, response.json()["status"]) == (503, "unready")
    assert "tajn" not in response.content.decode()
    assert all(check["remedy"] for check in response.json()["checks"] if not check["well"])


def test_a_check_that_hangs_is_not_waited_for() -> None:
    hanging = threading.Event()
    with ThreadPoolExecutor(max_workers=1) as pool:
        future = pool.submit(lambda: hanging.wait(60) and readiness.database())
        check = health.bounded(readiness.database, future, seconds=0.05)
        assert not future.done()
        hanging.set()
        future.exception()
    assert (check.name, check.well) == ("database", False)


@pytest.mark.django_db
def test_a_migration_that_is_not_applied_is_told_with_the_command() -> None:
    MigrationRecorder.Migration.objects.filter(app="rag", name="0002_forgotten_answers").delete()
    check = readiness.migrations()
    assert check.well is False
    assert "knowledgetree migrate" in check.remedy


@pytest.mark.django_db
def test_the_first_document_brings_the_embedding_space(public: Collection, index: AddDocument) -> None:
    assert not readiness.embedding_space().well
    index(public, "Urlop trwa 26 dni.")
    assert readiness.embedding_space().well


@pytest.mark.django_db
def test_a_worker_is_as_old_as_the_minute_that_it_sent_last() -> None:
    """A living worker has put the next run into the future."""
    now = timezone.now()
    for ahead, age, well in ((30, 30, True), (-100, 160, True), (-130, 190, False)):
        Schedule.objects.update_or_create(name=MINUTELY, defaults={"next_run": now + timedelta(seconds=ahead)})
        assert readiness.worker_age() == pytest.approx(age, abs=5)
        assert (readiness.worker().well is True) is well
    Schedule.objects.filter(name=MINUTELY).delete()
    assert readiness.worker_age() is None
    assert "knowledgetree worker" in readiness.worker().remedy


@pytest.mark.django_db
def test_a_dead_worker_is_no_reason_to_send_readers_away(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readiness, "WORKER_SECONDS", -1)
    response = client.get("/readyz")
    assert (response.status_code, response.json()["status"]) == (200, "degraded")


def test_probes_only_read(client: Client) -> None:
    assert [client.post(f"/{name}").status_code for name in ("healthz", "readyz", "metrics")] == [405] * 3
