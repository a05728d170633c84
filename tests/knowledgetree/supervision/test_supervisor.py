"""What died is started again, later each time; a fork does not outlive its parent."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from knowledgetree.supervision.catalogue import speak
from knowledgetree.supervision.supervisor import LONGEST_PAUSE, Supervisor, pause
from tests.installation import ROOT, wait_until

_SLEEPER = [sys.executable, "-c", "import time; time.sleep(600)"]
_FORKS = """
import os, sys, time
from knowledgetree.supervision.lifeline import end_forks_with_their_parents
end_forks_with_their_parents()
if os.fork() == 0:
    os.fork()
time.sleep(600)
"""


@pytest.fixture
def held(tmp_path: Path) -> Iterator[int]:
    descriptor = os.open(tmp_path / "lock", os.O_CREAT | os.O_RDWR)
    yield descriptor
    os.close(descriptor)


def test_pauses_double_up_to_a_minute() -> None:
    assert [pause(deaths) for deaths in (1, 2, 3, 6, 7, 8, 5000)] == [1, 2, 4, 32, LONGEST_PAUSE, 60, 60]


def test_a_program_that_ends_is_started_again_and_people_are_told(tmp_path: Path, held: int) -> None:
    speak("pl")
    starts = tmp_path / "starts.txt"
    script = f"open({str(starts)!r}, 'a').write('x'); raise SystemExit(3)"
    said: list[str] = []
    supervisor = Supervisor({"Próba": [sys.executable, "-c", script]}, folder=tmp_path, say=said.append, held=held)

    def twice() -> bool:
        supervisor.revive()
        return starts.exists() and len(starts.read_text()) >= 2 and len(said) >= 2

    wait_until(twice)
    supervisor.stop()
    assert said[0] == "Próba: proces zakończył się sam (kod 3), przyczyna jest powyżej. Uruchamiam ponownie za 1 s."
    assert said[1].endswith("za 2 s.")


def test_what_is_stopped_stays_stopped(tmp_path: Path, held: int) -> None:
    before = set(psutil.Process().children())
    supervisor = Supervisor({"a": _SLEEPER, "b": _SLEEPER}, folder=tmp_path, say=print, held=held)
    assert supervisor.all_run()
    supervisor.stop()
    assert not supervisor.all_run()
    assert set(psutil.Process().children()) <= before


def test_forks_of_a_killed_process_end_by_themselves() -> None:
    parent = subprocess.Popen([sys.executable, "-c", _FORKS], cwd=ROOT)
    try:
        wait_until(lambda: len(psutil.Process(parent.pid).children(recursive=True)) == 2)
        family = psutil.Process(parent.pid).children(recursive=True)
    finally:
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    wait_until(lambda: not any(process.is_running() for process in family))
