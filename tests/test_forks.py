"""What several processes say of the tests is what one says, whatever befalls them."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.installation import ROOT

pytestmark = pytest.mark.slow

_CONFTEST = """
from tests.forks import Forks
def pytest_configure(config):
    config.pluginmanager.register(Forks(2, lambda nodeid: nodeid.partition("::")[0]), "forks")
"""
_TESTS = """
import os, time, warnings
import pytest

@pytest.fixture(scope="session", autouse=True)
def for_ever():
    yield
    with open(os.environ["ENDS"], "a") as file:
        file.write("e")

@pytest.fixture(scope="module", autouse=True)
def of_the_file():
    yield
    with open(os.environ["ENDS"], "a") as file:
        file.write("m")

@pytest.fixture
def broken():
    yield
    raise ValueError("cannot be taken down")

def test_passes(tmp_path): (tmp_path / "mine").write_text("kept while others run")
def test_fails():
    print("seen by whoever looks for the fault")
    os.system("echo so is what a command prints")
    assert [1] == [2]
def test_warns(): warnings.warn("a word of warning")
def test_is_skipped(): pytest.skip("for a reason")
def test_breaks(broken): pass
def test_kills_its_process(): os.kill(os.getpid(), 9)
@pytest.mark.timeout(1)
def test_hangs(): time.sleep(600)
def test_comes_last(): pass
"""


def run(folder: Path, *options: str) -> str:
    (folder / "conftest.py").write_text(_CONFTEST)
    without = [word for plugin in ("django", "randomly", "cacheprovider") for word in ("-p", f"no:{plugin}")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "ENDS": str(folder / "ends.txt")}
    # In a place of its own: in the usual one pytest takes from all others the right to enter, also from our databases.
    place = f"--basetemp={folder / 'temporary'}"
    command = [sys.executable, "-m", "pytest", *without, place, *options, str(folder)]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True).stdout


def test_nothing_that_tests_say_is_lost(tmp_path: Path) -> None:
    for name in ("test_one.py", "test_two.py", "test_three.py"):
        (tmp_path / name).write_text(_TESTS)
    said = run(tmp_path)
    assert re.search(r"9 failed, 12 passed, 3 skipped, 3 warnings, 3 errors", said), said
    for words, times in {
        "The process of the tests ended, exit code -9.": 3,
        "Timeout (>1.0s)": 3,
        "assert [1] == [2]": 3,
        "ValueError: cannot be taken down": 3,
        "a word of warning": 3,
        "\nseen by whoever looks for the fault": 3,
        "\nso is what a command prints": 3,
    }.items():
        assert said.count(words) >= times, (words, said)
    ends = (tmp_path / "ends.txt").read_text()
    assert (ends.count("m"), ends.count("e")) == (3, 2), "a file's fixtures end with it, the session's once a process"


def test_the_first_failure_stops_all_where_that_is_asked(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text("def test_fails(): assert False\ndef test_not_run(): pass\n")
    (tmp_path / "test_two.py").write_text("import time\ndef test_slowly(): time.sleep(1)\ndef test_not_run(): pass\n")
    said = run(tmp_path, "--exitfirst")
    assert "1 failed" in said, said
    assert "stopping after 1 failures" in said, said
    assert "3 passed" not in said, said


def test_a_process_that_cannot_go_on_is_a_fault_and_hides_no_other(tmp_path: Path) -> None:
    (tmp_path / "test_one.py").write_text(
        "import pytest\n@pytest.fixture(scope='session')\ndef it():\n    yield\n    raise ValueError('at the end')\n"
        "def test_fails(it): assert [1] == [2]\n"
    )
    said = run(tmp_path)
    assert re.search(r"1 failed, .*1 error", said), said
    assert "assert [1] == [2]" in said, said
    assert "ValueError: at the end" in said, said
