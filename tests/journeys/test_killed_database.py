"""A database that is killed or away: the web says so, the worker waits, nothing is lost."""

import os
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import psutil
import psycopg
import pytest

from knowledgetree.database import reach_embedded, stop_embedded
from tests.installation import Installation, free_port, wait_until

DOCUMENTS = 30


class EmbeddedInstallation(Installation):
    """With an embedded server of its own, which this process starts first."""

    def __init__(self, folder: Path, **environment: str) -> None:
        folder.mkdir(parents=True)
        self.server = folder / "postgres"
        reach_embedded(self.server)
        super().__init__("", folder, **environment)

    def sql(self, statement: str) -> list[tuple[object, ...]]:
        with psycopg.connect(reach_embedded(self.server)) as connection:
            return connection.execute(statement.encode()).fetchall()

    def kill_database(self) -> int:
        postmaster = int((self.server / "postmaster.pid").read_text().splitlines()[0])
        os.kill(postmaster, signal.SIGKILL)
        return postmaster


@pytest.fixture
def site(tmp_path: Path) -> Any:
    installed = EmbeddedInstallation(tmp_path / "var", JOB_STALE_SECONDS="3")
    try:
        yield installed
    finally:
        installed.end_all()
        stop_embedded(installed.server)


@pytest.mark.slow
def test_a_killed_database_is_started_again_and_nothing_is_lost(site: EmbeddedInstallation, tmp_path: Path) -> None:
    folder = tmp_path / "dokumenty"
    folder.mkdir()
    for n in range(DOCUMENTS):
        text = "\n\n".join(f"Paragraf {p} dokumentu {n} mówi o urlopach i fakturach." for p in range(150))
        (folder / f"{n}.md").write_text(f"# Dokument {n}\n\n{text}", encoding="utf-8")
    site.manage("migrate", "--verbosity", "0")
    site.manage("index", str(folder), "--collection", "proba", "--visibility", "public", "--queue")

    def ready() -> int:
        with suppress(psycopg.OperationalError):
            return int(str(site.sql("SELECT count(*) FROM ingestion_document WHERE status = 'ready'")[0][0]))
        return -1

    address = site.start_web()
    site.start("manage.py", "worker")
    wait_until(lambda: ready() >= 2, seconds=90)
    killed = site.kill_database()
    assert ready() < DOCUMENTS, "the worker was too quick for a kill in the middle"
    statuses = [httpx.get(address, timeout=60).status_code for _ in range(3)]
    assert set(statuses) <= {200, 503}
    wait_until(lambda: httpx.get(address, timeout=60).status_code == 200, seconds=60)
    assert not psutil.pid_exists(killed) or psutil.Process(killed).status() == psutil.STATUS_ZOMBIE
    wait_until(lambda: ready() == DOCUMENTS, seconds=180)
    wait_until(lambda: site.sql("SELECT count(*) FROM ingestion_job WHERE status <> 'succeeded'") == [(0,)], seconds=90)
    assert site.sql("SELECT document_id FROM ingestion_extraction GROUP BY 1 HAVING count(*) > 1") == []


def test_without_a_database_the_web_says_so(tmp_path: Path) -> None:
    folder = tmp_path / "var"
    folder.mkdir()
    site = Installation(f"postgresql://kt@127.0.0.1:{free_port()}/kt", folder)
    try:
        address = site.start_web()
        page = httpx.get(address, timeout=30)
        problem = httpx.post(f"{address}/api/search", json={"query": "urlop"}, timeout=30)
    finally:
        site.end_all()
    assert (page.status_code, page.headers["Retry-After"]) == (503, "10")
    assert "Baza danych chwilowo nie odpowiada" in page.text
    assert (problem.status_code, problem.json()["code"]) == (503, "database_unavailable")
    assert problem.json()["retryable"] is True
