"""`quickstart` that is interrupted at its terminal leaves nothing running; for other ends see `test_supervision.py`."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.embedded import copy_folder
from tests.installation import ROOT, free_port, is_open, wait_until


@pytest.mark.slow
def test_an_interrupted_quickstart_stops_its_database(furnished: Path, tmp_path: Path) -> None:
    folder = copy_folder(furnished, tmp_path / "var")
    port = free_port()
    with (tmp_path / "log.txt").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "quickstart", "--port", str(port)],
            cwd=ROOT,
            env={**os.environ, "VAR_DIR": str(folder), "DATABASE_URL": "", "ANTHROPIC_API_KEY": ""},
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        wait_until(lambda: is_open(port) or process.poll() is not None)
        assert process.poll() is None, (tmp_path / "log.txt").read_text()
        database = int((folder / "postgres/postmaster.pid").read_text().splitlines()[0])
        assert psutil.pid_exists(database)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)
        wait_until(lambda: not psutil.pid_exists(database))
        assert not is_open(port)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
