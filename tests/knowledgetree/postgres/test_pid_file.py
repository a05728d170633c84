"""`postmaster.pid` after a crash: nobody else's process is taken for the server, and none is ended in its place."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg
import pytest

from knowledgetree.database import embedded_runs, reach_embedded, stop_embedded
from knowledgetree.postgres.pid_file import server_runs, settle_pid_file
from tests.embedded import copy_folder
from tests.installation import ROOT, wait_until

_REACH = """
import sys
from pathlib import Path
import psycopg
from knowledgetree.database import reach_embedded
psycopg.connect(reach_embedded(Path(sys.argv[1]))).close()
"""
_CONNECT = "from django.db import connection; connection.ensure_connection(); print(connection.pg_version)"


@contextmanager
def foreign_process(name: str = "sleep") -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen([name, "600"])
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of an empty server, to be copied: to make one takes seconds."""
    directory = tmp_path_factory.mktemp("stopped") / "postgres"
    reach_embedded(directory)
    stop_embedded(directory)
    return directory


@pytest.fixture
def crashed(stopped: Path, tmp_path: Path) -> Iterator[Path]:
    """The directory of a server that was killed; its pid file is still there."""
    directory = copy_folder(stopped, tmp_path / "postgres")
    reach_embedded(directory)
    postmaster = psutil.Process(int((directory / "postmaster.pid").read_text().splitlines()[0]))
    children = postmaster.children()
    postmaster.send_signal(signal.SIGKILL)
    wait_until(lambda: not any(child.is_running() for child in (postmaster, *children)))
    yield directory
    with psycopg.connect(reach_embedded(directory)):
        pass
    stop_embedded(directory)


def pid_file_of(directory: Path, process: int) -> None:
    file = directory / "postmaster.pid"
    file.write_text("\n".join([str(process), *file.read_text().splitlines()[1:]]) + "\n")


def command(directory: Path) -> subprocess.CompletedProcess[str]:
    """One of ours, with its database in `directory`."""
    return run_python(directory, "manage.py", "shell", "-v", "0", "-c", _CONNECT)


def reached(directory: Path) -> subprocess.CompletedProcess[str]:
    """A process that wants no more than the database, so it is there in a tenth of the time."""
    return run_python(directory, "-c", _REACH, str(directory))


def run_python(directory: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**os.environ, "VAR_DIR": str(directory.parent), "DATABASE_URL": ""},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.slow
def test_a_pid_file_of_another_program_kills_nothing(crashed: Path) -> None:
    with foreign_process() as other:
        pid_file_of(crashed, other.pid)
        assert not embedded_runs(crashed)
        ended = command(crashed)
        time.sleep(0.2)
        assert other.poll() is None, "the command ended a process of somebody else"
        assert ended.returncode == 0, ended.stderr


@pytest.mark.slow
@pytest.mark.parametrize("lines", [0, 1, 3, 7])
def test_a_pid_file_that_a_crash_cut_short_does_not_stop_the_start(crashed: Path, lines: int) -> None:
    file = crashed / "postmaster.pid"
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:lines]))
    ended = reached(crashed)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize("text", ["", "\n", "words\n", "-1\n", f"{10**30}\n", "\0\0\0"])
def test_what_names_no_process_is_no_server(tmp_path: Path, text: str) -> None:
    file = tmp_path / "postmaster.pid"
    file.write_text(text)
    assert not server_runs(tmp_path)
    settle_pid_file(tmp_path)
    assert not file.exists()


def test_another_program_named_postgres_is_no_server(tmp_path: Path) -> None:
    """One of another directory, or a process that serves a connection of it."""
    program = tmp_path / "postgres"
    program.symlink_to("/bin/sleep")
    with foreign_process(str(program)) as other:
        wait_until(lambda: psutil.Process(other.pid).name() == "postgres")
        (tmp_path / "postmaster.pid").write_text(f"{other.pid}\n{tmp_path}\n1500000000\n5432\n\n\n 1 2\nready\n")
        assert not server_runs(tmp_path)


@pytest.mark.slow
def test_a_server_whose_clock_was_set_is_still_known_by_its_directory(stopped: Path, tmp_path: Path) -> None:
    directory = copy_folder(stopped, tmp_path / "postgres")
    reach_embedded(directory)
    file = directory / "postmaster.pid"
    lines = file.read_text().splitlines()
    try:
        file.write_text("\n".join([*lines[:2], str(int(lines[2]) - 3600), *lines[3:]]) + "\n")
        assert server_runs(directory)
        settle_pid_file(directory)
        assert file.exists()
    finally:
        stop_embedded(directory)


@pytest.mark.slow
def test_a_copy_of_a_running_directory_does_not_lead_to_the_original(stopped: Path, tmp_path: Path) -> None:
    original = copy_folder(stopped, tmp_path / "postgres")
    with psycopg.connect(reach_embedded(original), autocommit=True) as connection:
        connection.execute("CREATE TABLE only_in_the_original ()")
        copy = copy_folder(original, tmp_path / "copied")
        connection.execute("DROP TABLE only_in_the_original")
    try:
        assert not server_runs(copy)
        with psycopg.connect(reach_embedded(copy)) as connection:
            assert connection.execute("SELECT to_regclass('only_in_the_original')").fetchone() != (None,)
        assert server_runs(original)
    finally:
        stop_embedded(copy)
        stop_embedded(original)
