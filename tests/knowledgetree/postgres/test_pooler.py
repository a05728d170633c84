"""PgBouncer in its transaction mode, the real one: what works behind it, and what is said where it cannot."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.installation import Installation, installation
from tests.pgbouncer import pgbouncer

pytestmark = pytest.mark.slow

_ASKED = 24  # six times as many as PgBouncer has connections


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    folder = tmp_path_factory.mktemp("pooler")
    with installation(folder / "var", "kt_pooler") as site:
        (folder / "urlop.md").write_text("# Urlop\n\nUrlop wypoczynkowy trwa 26 dni.", encoding="utf-8")
        site.manage("index", str(folder / "urlop.md"), "--collection", "proba")
        site.sql("UPDATE ingestion_collection SET visibility = 'public' RETURNING slug")
        yield site


def test_web_processes_search_and_answer_behind_it(site: Installation, tmp_path: Path) -> None:
    with pgbouncer(tmp_path, site.url) as url:
        web = site.start_web(DATABASE_URL=f"{url}?pgbouncer=transaction", DATABASE_POOL="1")

        def search(number: int) -> tuple[int, int]:
            found = httpx.get(f"{web}/api/search", params={"query": f"urlop wypoczynkowy {number}"}, timeout=120)
            return found.status_code, len(found.json().get("passages", found.json().get("results", ())))

        with ThreadPoolExecutor(8) as readers:
            assert set(readers.map(search, range(_ASKED))) == {(200, 1)}
        answer = httpx.post(f"{web}/api/ask", json={"question": "Ile trwa urlop wypoczynkowy?"}, timeout=120)
        assert "26" in answer.text


def test_a_worker_refuses_it_whether_it_is_told_of_it_or_not(site: Installation, tmp_path: Path) -> None:
    with pgbouncer(tmp_path, site.url, ignored="extra_float_digits,options") as url:
        for address in (url, f"{url}?pgbouncer=transaction"):
            refused = site.manage("worker", check=False, DATABASE_URL=address)
            assert refused.returncode == 1
            assert "PgBouncer" in refused.stderr


def test_doctor_finds_it_where_nobody_says_that_it_is_there(site: Installation, tmp_path: Path) -> None:
    with pgbouncer(tmp_path, site.url, ignored="extra_float_digits,options") as url:
        assert "?pgbouncer=transaction" in site.manage("doctor", check=False, DATABASE_URL=url).stdout


def test_a_start_that_it_refuses_is_explained(site: Installation, tmp_path: Path) -> None:
    with pgbouncer(tmp_path, site.url) as url:
        assert "?pgbouncer=transaction" in site.manage("doctor", check=False, DATABASE_URL=url).stdout
