"""`quickstart` and its processes, killed one after the other with `kill -9`."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx
import psutil
import pytest

from tests.installation import ROOT, free_port, is_open, wait_until


class Quickstart:
    """`manage.py quickstart` with the data of `folder`; what it says is in `log`."""

    def __init__(self, folder: Path, port: int, log: Path) -> None:
        self.folder, self.port, self._log = folder, port, log
        with log.open("wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "quickstart", "--port", str(port)],
                cwd=ROOT,
                env={**os.environ, "VAR_DIR": str(folder), "DATABASE_URL": "", "ANTHROPIC_API_KEY": "", "WORKERS": "2"},
                stdout=file,
                stderr=file,
                start_new_session=True,
            )

    @property
    def said(self) -> str:
        return self._log.read_text()

    def is_up(self) -> bool:
        return "KnowledgeTree działa" in self.said

    def children(self) -> "dict[str, psutil.Process]":
        """`worker` and `uvicorn`, as far as they run."""
        found = {}
        for child in psutil.Process(self.process.pid).children():
            with suppress(psutil.NoSuchProcess):  # a zombie too
                found |= {name: child for name in ("worker", "uvicorn") if name in child.cmdline()}
        return found

    def family(self) -> "list[psutil.Process]":
        return psutil.Process(self.process.pid).children(recursive=True)

    def guard(self) -> psutil.Process:
        (guard,) = (child for child in self.children()["worker"].children() if child.children())
        return guard

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def started() -> Iterator[list[Quickstart]]:
    """What the test starts; in the end it is asked to stop, as by systemd, and none of it runs, nor its database."""
    sites: list[Quickstart] = []
    yield sites
    for site in sites:
        if site.process.poll() is None:
            family = [*site.family(), server_of(site.folder)]
            site.process.send_signal(signal.SIGTERM)
            site.process.wait(timeout=60)
            wait_until(lambda stopped=family: gone(stopped))
            assert not is_open(site.port)


def gone(processes: "list[psutil.Process]") -> bool:
    return all(not process.is_running() or process.status() == psutil.STATUS_ZOMBIE for process in processes)


def server_of(folder: Path) -> psutil.Process:
    return psutil.Process(int((folder / "postgres/postmaster.pid").read_text().splitlines()[0]))


@pytest.mark.slow
def test_what_dies_is_started_again_and_what_is_killed_leaves_no_orphan(
    tmp_path: Path, started: list[Quickstart]
) -> None:
    folder, port = tmp_path / "var", free_port()
    started += [Quickstart(folder, port, tmp_path / "first.txt"), Quickstart(folder, port, tmp_path / "twin.txt")]
    wait_until(lambda: any(twin.process.poll() is not None for twin in started))
    (second,) = (twin for twin in started if twin.process.poll() is not None)
    (first,) = (twin for twin in started if twin is not second)
    assert second.process.returncode == 1
    assert "już działa" in second.said, "two at once on an empty folder: one of them says why not"
    assert "Traceback" not in second.said
    wait_until(lambda: first.is_up() or first.process.poll() is not None)
    assert first.process.poll() is None, first.said

    killed = first.children()["uvicorn"]
    killed.kill()
    wait_until(lambda: gone([killed]) and "uvicorn" in first.children() and is_open(port))
    assert httpx.get(f"http://127.0.0.1:{port}/", timeout=60).status_code == 200
    assert "Serwer WWW: proces zakończony sygnałem SIGKILL. Uruchamiam ponownie za 1 s." in first.said

    wait_until(lambda: len(first.guard().children()) == 4)
    old = [first.children()["worker"], first.guard(), *first.guard().children()]
    first.guard().kill()
    wait_until(lambda: gone(old))
    wait_until(lambda: "worker" in first.children() and len(first.children()["worker"].children()) == 1)
    assert "Strażnik kolejki zakończył się sam" in first.said

    family, database = first.family(), server_of(folder)
    first.kill()
    third = Quickstart(folder, port, tmp_path / "third.txt")
    started.append(third)
    wait_until(lambda: third.is_up() or third.process.poll() is not None)
    assert gone([*family, database]), "orphans of a killed quickstart, or its database"
    assert f"127.0.0.1:{port}/" in third.said, "the next site stands where the killed one stood"
