"""A database that is killed, restarted or away: the web says so or answers, the worker waits, nothing is lost."""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import httpx
import psutil
import psycopg
import pytest

from knowledgetree.database import start_embedded
from tests.embedded import EmbeddedInstallation, furnished_installation
from tests.installation import Installation, free_port, wait_until

DOCUMENTS = 12
READERS = 12

READY = """
SELECT count(*) FROM ingestion_document d JOIN ingestion_collection c ON c.id = d.collection_id
WHERE c.slug = 'proba' AND d.status = 'ready'
"""


@pytest.fixture(scope="module")
def site(furnished: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedInstallation]:
    folder = tmp_path_factory.mktemp("database") / "var"
    with furnished_installation(furnished, folder, JOB_STALE_SECONDS="3") as installed:
        yield installed


@pytest.fixture(scope="module")
def address(site: EmbeddedInstallation) -> str:
    return site.start_web()


@pytest.mark.slow
def test_a_killed_database_is_started_again_and_nothing_is_lost(
    site: EmbeddedInstallation, address: str, tmp_path: Path
) -> None:
    folder = tmp_path / "dokumenty"
    folder.mkdir()
    for n in range(DOCUMENTS):
        text = "\n\n".join(f"Paragraf {p} dokumentu {n} mówi o urlopach i fakturach." for p in range(80))
        (folder / f"{n}.md").write_text(f"# Dokument {n}\n\n{text}", encoding="utf-8")
    site.manage("index", str(folder), "--collection", "proba", "--visibility", "public", "--queue")

    def ready() -> int:
        with suppress(psycopg.OperationalError):
            return int(str(site.sql(READY)[0][0]))
        return -1

    worker = site.start("manage.py", "worker")
    wait_until(lambda: ready() >= 2)
    killed = site.kill_database()
    assert ready() < DOCUMENTS, "the worker was too quick for a kill in the middle"
    statuses = [httpx.get(address, timeout=60).status_code for _ in range(3)]
    assert set(statuses) <= {200, 503}
    wait_until(lambda: httpx.get(address, timeout=60).status_code == 200)
    assert not psutil.pid_exists(killed) or psutil.Process(killed).status() == psutil.STATUS_ZOMBIE
    wait_until(lambda: ready() == DOCUMENTS)
    wait_until(lambda: site.sql("SELECT count(*) FROM ingestion_job WHERE status <> 'succeeded'") == [(0,)])
    assert site.sql("SELECT document_id FROM ingestion_extraction GROUP BY 1 HAVING count(*) > 1") == []
    site.end(worker, signal.SIGKILL)


def restart(directory: Path) -> None:
    postmaster = psutil.Process(int((directory / "postmaster.pid").read_text().splitlines()[0]))
    os.kill(postmaster.pid, signal.SIGINT)  # "fast": connections are ended, as by `systemctl restart postgresql`
    wait_until(lambda: not postmaster.is_running() or postmaster.status() == psutil.STATUS_ZOMBIE)
    start_embedded(directory, restart=True)


@pytest.mark.slow
def test_requests_after_a_restart_of_the_database_are_all_answered(site: EmbeddedInstallation, address: str) -> None:
    def ask(_: int) -> int:
        return httpx.post(f"{address}/api/search", json={"query": "urlop"}, timeout=60).status_code

    with ThreadPoolExecutor(READERS) as readers:  # so that the pool has more than its first connection
        assert set(readers.map(ask, range(10 * READERS))) == {200}
    backends = "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
    pooled = int(str(site.sql(backends)[0][0])) - 1
    assert pooled >= 2, "too few connections in the pool to show anything"
    restart(site.server)
    with ThreadPoolExecutor(5) as readers:
        assert list(readers.map(ask, range(25))) == [200] * 25


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
