"""Which tests `make check` leaves to `make test` because they are long: measured, and written down in a list.

`pytest --forks 4 --write-slow` writes `tests/slow_tests.txt` anew from what it ran: seconds and the test. One with
parameters is as long as the longest of them. The files that take longest are begun first. What is no matter of
measuring (a process of its own, a neural model) is marked `slow` by hand.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

LIST = Path(__file__).with_name("slow_tests.txt")
LONG = 0.15  # seconds of a processor
STAYS = 0.11  # what is listed leaves the list below this, or each list would differ from the last one
vanished = pytest.StashKey[list[str]]()


def listed() -> dict[str, float]:
    """The seconds of each listed test."""
    lines = (line.split(maxsplit=1) for line in LIST.read_text().splitlines())
    return {name: float(seconds) for seconds, name in lines}


def function_of(nodeid: str) -> str:
    """The test without its parameters."""
    return nodeid.partition("[")[0]


def missing(names: Iterable[str], collected: Iterable[str]) -> list[str]:
    """Those of `names` that a collected file does not have. One that was not collected says nothing, if it exists."""
    functions = {function_of(nodeid) for nodeid in collected}
    files = {function.partition("::")[0] for function in functions}
    root = LIST.parents[1]
    return [
        name
        for name in names
        if name not in functions and ((file := name.partition("::")[0]) in files or not (root / file).exists())
    ]


class LongMarked:
    """The plugin that marks what is listed as slow."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        names = listed()
        whole = not any("::" in argument for argument in config.args)
        config.stash[vanished] = missing(names, (item.nodeid for item in items)) if whole else []
        for item in items:
            if function_of(item.nodeid) in names:
                item.add_marker(pytest.mark.slow)


class Measured:
    """The plugin that writes the list: of the processor's time that a test took, with its process of PostgreSQL and
    those for whose end it waited, without what fixtures cost that it shares with others.
    """

    def __init__(self) -> None:
        self._began, self._shared, self._sharing = Spent(), 0.0, False
        self._seconds = defaultdict[str, float](float)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        if fixturedef.scope == "function" or self._sharing:
            return (yield)
        self._sharing, before = True, Spent()
        try:
            return (yield)
        finally:
            self._sharing = False
            self._shared += before.since()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Iterator[None]:
        self._began, self._shared = Spent(), 0.0
        return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Iterator[None]:
        try:
            return (yield)
        finally:
            item.user_properties.append(("seconds", self._began.since() - self._shared))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            name = function_of(report.nodeid)
            self._seconds[name] = max(self._seconds[name], float(str(dict(report.user_properties)["seconds"])))

    def pytest_sessionfinish(self) -> None:
        lines = (f"{seconds:.1g} {name}\n" for name, seconds in sorted(renewed(listed(), self._seconds).items()))
        LIST.write_text("".join(lines))


def renewed(before: dict[str, float], seconds: dict[str, float]) -> dict[str, float]:
    """The next list. What was not run stays, and what is said of a test that takes neither half nor twice of it."""
    stay = {name: said for name, said in before.items() if seconds.get(name, STAYS) >= STAYS}
    long = {name: taken for name, taken in seconds.items() if taken >= LONG}
    return stay | {
        name: taken for name, taken in long.items() if name not in stay or not 0.5 < taken / stay[name] < 2.0
    }


class Spent:
    """What was spent until now, in seconds of a processor."""

    def __init__(self) -> None:
        spent = os.times()
        self._here = spent.user + spent.system + spent.children_user + spent.children_system
        connected = connection.connection
        self._server = connected.info.backend_pid if connected is not None and not connected.closed else 0
        self._there = _seconds_of(self._server)

    def since(self) -> float:
        now = Spent()
        return now._here - self._here + now._there - (self._there if now._server == self._server else 0.0)


def _seconds_of(process: int) -> float:
    """Where `/proc` knows it; a server elsewhere spends nothing of ours."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
