"""The list of long tests: nothing on it has vanished, and what is measured changes it as it says."""

import pytest

from tests.durations import listed, missing, renewed, vanished


def test_every_listed_test_is_there(pytestconfig: pytest.Config) -> None:
    """Where whole files were collected. What was renamed would be run by `make check` again without a word."""
    gone = pytestconfig.stash[vanished]
    assert gone == [], "rename them in tests/slow_tests.txt, or take them out"


def test_the_list_is_sorted_and_has_each_test_once() -> None:
    assert listed() == sorted(set(listed()))


def test_a_test_is_missed_in_a_file_that_was_collected_and_in_one_that_is_gone() -> None:
    here, gone = "tests/test_durations.py", "tests/test_of_yesterday.py"
    collected = [f"{here}::test_one[1]", f"{here}::test_one[2]"]
    assert missing([f"{here}::test_one", f"{here}::test_two", f"{gone}::test_one"], collected) == [
        f"{here}::test_two",
        f"{gone}::test_one",
    ]
    assert missing([f"{here}::test_two"], ["tests/test_forks.py::test_one"]) == [], "it was not looked for"


def test_what_is_long_enters_and_what_is_clearly_not_leaves() -> None:
    seconds = {"long": 0.2, "short": 0.19, "was long": 0.14, "nearly": 0.16}
    assert renewed(["nearly", "not run", "was long"], seconds) == ["long", "nearly", "not run"]
