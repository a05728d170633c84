"""PostgreSQL is restarted under a running site: whoever asks afterwards gets an answer."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import psutil
import pytest

from knowledgetree.database import start_embedded
from tests.embedded import EmbeddedInstallation
from tests.installation import wait_until
from tests.journeys.test_killed_database import site

__all__ = ["site"]
READERS = 12


def restart(directory: Path) -> None:
    postmaster = psutil.Process(int((directory / "postmaster.pid").read_text().splitlines()[0]))
    os.kill(postmaster.pid, signal.SIGINT)  # "fast": connections are ended, as by `systemctl restart postgresql`
    wait_until(lambda: not postmaster.is_running())
    start_embedded(directory, restart=True)


@pytest.mark.slow
def test_requests_after_a_restart_of_the_database_are_all_answered(site: EmbeddedInstallation) -> None:
    address = site.start_web()

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
