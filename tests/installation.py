"""A whole installation beside the tests: its own database and files, real commands, worker and web server."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from django.conf import settings

from tests.databases import ROOT, database_copy

PATIENCE = 600.0  # seconds: a busy machine is slow, not wrong


class Installation:
    """Commands run against `url` with files under `folder`; processes are ended by their own id."""

    def __init__(self, url: str, folder: Path, **environment: str) -> None:
        self.folder, self.url = folder, url
        share_dictionaries(folder)
        self.environment = {
            **os.environ,
            "DATABASE_URL": url,
            "VAR_DIR": str(folder),
            "ANTHROPIC_API_KEY": "",
            "WORKERS": "2",
            "DJANGO_SETTINGS_MODULE": "knowledgetree.settings",
            **environment,
        }
        self._processes: list[subprocess.Popen[bytes]] = []

    def manage(
        self, *arguments: str, check: bool = True, seconds: float = PATIENCE, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env={**self.environment, **environment},
            check=check,
            capture_output=True,
            text=True,
            timeout=seconds,
        )

    def start(self, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        """`python ARGUMENTS` in a process group of its own."""
        log = (self.folder / "log.txt").open("ab")
        process = subprocess.Popen(
            [sys.executable, *arguments],
            cwd=ROOT,
            env={**self.environment, **environment},
            start_new_session=True,
            stdout=log,
            stderr=log,
        )
        self._processes.append(process)
        return process

    def start_web(self, **environment: str) -> str:
        """A real ASGI server; its address."""
        port = free_port()
        process = self.start(
            "-m",
            "uvicorn",
            "knowledgetree.asgi:application",
            "--port",
            str(port),
            "--lifespan",
            "off",
            "--log-level",
            "warning",
            **environment,
        )
        wait_until(lambda: is_open(port) or process.poll() is not None)
        assert process.poll() is None, (self.folder / "log.txt").read_text()
        return f"http://127.0.0.1:{port}"

    def end(self, process: subprocess.Popen[bytes], signal: int) -> None:
        """Send `signal` to the process and its children, and wait for its end."""
        if process.poll() is None:
            os.killpg(process.pid, signal)
            process.wait(timeout=30)

    def end_all(self) -> None:
        for process in self._processes:
            self.end(process, 9)

    def sql(self, statement: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.environment["DATABASE_URL"]) as connection:
            return connection.execute(statement.encode()).fetchall()

    def nobody_works(self) -> bool:
        """No job has shown a sign of life for JOB_STALE_SECONDS: a worker that starts takes all of them up."""
        stale = self.environment["JOB_STALE_SECONDS"]
        alive = f"status = 'running' AND heartbeat >= now() - interval '{stale} seconds'"
        return self.sql(f"SELECT count(*) FROM ingestion_job WHERE {alive}") == [(0,)]


@contextmanager
def installation(folder: Path, name: str, **environment: str) -> Iterator[Installation]:
    """A migrated, empty installation in a database of its own, dropped in the end."""
    name += os.environ.get("TEST_PROCESS", "")  # several processes run the tests on one server
    with database_copy(name) as url:
        folder.mkdir(parents=True, exist_ok=True)
        installed = Installation(url, folder, **environment)
        try:
            yield installed
        finally:
            installed.end_all()


def share_dictionaries(folder: Path) -> None:
    """What is kept of them in the folder of the tests is there in `folder` too, which need not exist yet."""
    kept, link = settings.VAR_DIR / "cache", folder / "cache"
    kept.mkdir(parents=True, exist_ok=True)
    link.parent.mkdir(parents=True, exist_ok=True)
    if not link.is_symlink():
        link.symlink_to(kept.absolute())


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_until(condition: Callable[[], bool], *, seconds: float = PATIENCE) -> None:
    """Poll `condition` ten times a second; AssertionError when the time is up."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return
        time.sleep(0.1)
    raise AssertionError(f"not within {seconds} seconds")
