"""A database that is killed or away: the web says so, the worker waits, nothing is lost."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import psutil
import psycopg
import pytest

from tests.embedded import EmbeddedInstallation, furnished_installation
from tests.installation import Installation, free_port, wait_until

DOCUMENTS = 12


READY = """
SELECT count(*) FROM ingestion_document d JOIN ingestion_collection c ON c.id = d.collection_id
WHERE c.slug = 'proba' AND d.status = 'ready'
"""


@pytest.fixture
def site(furnished: Path, tmp_path: Path) -> Iterator[EmbeddedInstallation]:
    with furnished_installation(furnished, tmp_path / "var", JOB_STALE_SECONDS="3") as installed:
        yield installed


@pytest.mark.slow
def test_a_killed_database_is_started_again_and_nothing_is_lost(site: EmbeddedInstallation, tmp_path: Path) -> None:
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

    address = site.start_web()
    site.start("manage.py", "worker")
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
