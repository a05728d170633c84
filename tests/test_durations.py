"""The list of long tests: nothing on it has vanished, and what is measured changes it as it says."""

from pathlib import Path
from time import process_time

import pytest
from django.db import connection

from tests.durations import LIST, LONG, STAYS, Spent, missing, renewed, vanished


def test_every_listed_test_is_there(pytestconfig: pytest.Config) -> None:
    """Where whole files were collected. What was renamed would be run by `make check` again without a word."""
    gone = pytestconfig.stash[vanished]
    assert gone == [], "rename them in tests/slow_tests.txt, or take them out"


def test_the_list_is_sorted_and_has_each_test_once() -> None:
    names = [line.partition(" ")[2] for line in LIST.read_text().splitlines()]
    assert names == sorted(set(names))


def test_a_test_is_missed_in_a_file_that_was_collected_and_in_one_that_is_gone() -> None:
    here, gone = "tests/test_durations.py", "tests/test_of_yesterday.py"
    collected = [f"{here}::test_one[1]", f"{here}::test_one[2]"]
    assert missing([f"{here}::test_one", f"{here}::test_two", f"{gone}::test_one"], collected) == [
        f"{here}::test_two",
        f"{gone}::test_one",
    ]
    assert missing([f"{here}::test_two"], ["tests/test_forks.py::test_one"]) == [], "it was not looked for"


def test_what_is_long_enters_and_what_is_clearly_not_leaves() -> None:
    before = {"nearly": 0.2, "not run": 0.3, "was long": 0.2, "longer": 0.2, "as before": 0.2}
    seconds = {"long": LONG, "short": LONG - 0.01, "was long": STAYS - 0.01, "nearly": STAYS}
    seconds |= {"longer": 5.0, "as before": 0.21}
    after = {"long": LONG, "nearly": 0.2, "not run": 0.3, "longer": 5.0, "as before": 0.2}
    assert renewed(before, seconds) == after


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="what other processes spend is known from /proc")
def test_what_the_database_does_is_counted(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        before, here = Spent(), process_time()
        cursor.execute("SELECT count(*) FROM generate_series(1, 1000000)")
        both, here = before.since(), process_time() - here
    assert both > here + 0.02
