"""One site in a folder; the lock is free when its last process is gone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from knowledgetree.supervision.site_lock import SiteRuns, only_site

_HOLDER = [sys.executable, "-c", "import time; time.sleep(600)"]


def test_a_second_site_is_told_of_the_first(tmp_path: Path) -> None:
    with only_site(tmp_path) as lock:
        lock.write_address("http://127.0.0.1:8000/")
        with pytest.raises(SiteRuns) as raised, only_site(tmp_path):
            pass
    assert (raised.value.number, raised.value.address) == (os.getpid(), "http://127.0.0.1:8000/")
    with only_site(tmp_path):
        pass


def test_the_lock_is_held_by_what_a_killed_site_left(tmp_path: Path) -> None:
    """Its number is nobody's, so the next site waits for the rest of it instead of standing beside it."""
    with only_site(tmp_path) as lock:
        child = subprocess.Popen(_HOLDER, pass_fds=[lock.descriptor])
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    (tmp_path / "quickstart.lock").write_text(f"{gone.pid}\n")
    try:
        with pytest.raises(SiteRuns), only_site(tmp_path, patience=0.3):
            pass
    finally:
        child.kill()
        child.wait()
    with only_site(tmp_path, patience=0):
        pass
