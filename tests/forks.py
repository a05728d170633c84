"""Several processes for the tests of one run: `pytest --forks 4` imports and collects once, then forks.

Where each process collects for itself, as those of pytest-xdist do, that costs each of them seventeen seconds of a
processor in a fresh clone. Here they take one group of tests after the other until none is left, and the first one,
which runs none, tells pytest's plugins what they tell it: results, counts and reports are those of one process.
"""

import os
import traceback
import warnings
from atexit import _run_exitfuncs as leave
from collections import deque
from collections.abc import Callable, Iterable
from itertools import pairwise
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from types import SimpleNamespace
from typing import Any

import pytest

Groups = deque[deque[int]]
Said = tuple[str, dict[str, Any]]  # a hook of pytest's and its arguments
_forking = get_context("fork")


class Child:
    """A process that runs tests; `group` are the places, among those collected, of what it has yet to end."""

    def __init__(self, name: str, session: pytest.Session, others: Iterable[Connection]) -> None:
        self.name, self.group = name, deque[int]()
        self.line, theirs = _forking.Pipe()
        self.process = _forking.Process(target=_work, args=(name, session, theirs, [*others, self.line]))
        self.process.start()
        theirs.close()

    def hear(self) -> list[Said] | str | EOFError | None:
        """What was said of a test; why the process cannot go on; None where it asks for a group; or that it ended."""
        try:
            return self.line.recv()  # type: ignore[no-any-return]
        except (EOFError, ConnectionResetError):
            return EOFError()

    def give(self, groups: Groups) -> None:
        self.group = groups.popleft() if groups else deque()
        self.line.send(list(self.group))


class Forks:
    """The plugin of the process that collects. Tests of which `scope` says the same are run by one process."""

    def __init__(self, count: int, scope: Callable[[str], str]) -> None:
        self._count, self._scope = count, scope
        self._children: dict[Connection, Child] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool | None:
        if session.testsfailed or session.config.option.collectonly:
            return None  # what there is to say pytest says itself
        session.config.pluginmanager.get_plugin("terminalreporter").showfspath = False  # files come in turns
        session.config._tmp_path_factory.getbasetemp()  # or each process would empty it for itself
        groups = self._grouped(session.items)
        try:
            for number in range(min(self._count, len(groups))):
                self._start(f"p{number}", session)
            while self._children:
                for line in wait(list(self._children)):
                    self._listen(self._children[line], session, groups)
                _stop_where_asked(session)
        finally:
            for child in self._children.values():
                child.line.close()
                child.process.join()
        return True

    def _grouped(self, items: list[pytest.Item]) -> Groups:
        groups: dict[str, deque[int]] = {}
        for place, item in enumerate(items):
            groups.setdefault(self._scope(item.nodeid), deque()).append(place)
        return deque(groups.values())

    def _start(self, name: str, session: pytest.Session) -> None:
        child = Child(name, session, self._children)
        self._children[child.line] = child

    def _listen(self, child: Child, session: pytest.Session, groups: Groups) -> None:
        told = child.hear()
        if isinstance(told, EOFError):
            self._bury(child, session, groups)
        elif isinstance(told, str):
            report = pytest.TestReport(f"process {child.name}", ("", None, ""), {}, "failed", told, "teardown")
            session.config.hook.pytest_runtest_logreport(report=report)
        elif told is None:
            child.give(groups)
        else:
            child.group.popleft()
            for hook, arguments in told:
                _tell(session.config, hook, arguments)

    def _bury(self, child: Child, session: pytest.Session, groups: Groups) -> None:
        """A test during which its process ends has failed; what is left of its group is for a new process."""
        del self._children[child.line]
        child.process.join()
        if child.group:
            item = session.items[child.group.popleft()]
            message = f"The process of the tests ended, exit code {child.process.exitcode}."
            report = pytest.TestReport(item.nodeid, item.location, {}, "failed", message, "call")
            session.config.hook.pytest_runtest_logreport(report=report)
            if child.group:
                groups.appendleft(child.group)
            self._start(child.name, session)


def _stop_where_asked(session: pytest.Session) -> None:
    if session.shouldfail:
        raise session.Failed(session.shouldfail)
    if session.shouldstop:
        raise session.Interrupted(session.shouldstop)


def _tell(config: pytest.Config, hook: str, arguments: dict[str, Any]) -> None:
    if hook == "pytest_runtest_logreport":
        report = config.hook.pytest_report_from_serializable(config=config, data=arguments["report"])
        arguments = {"report": report}
    elif hook == "pytest_warning_recorded":
        arguments["warning_message"] = warnings.WarningMessage(**arguments["warning_message"])
        config.hook.pytest_warning_recorded.call_historic(kwargs=arguments)
        return
    getattr(config.hook, hook)(**arguments)


class Hearing:
    """The plugin of a process that runs tests: what is said of one, in a form that can be sent."""

    def __init__(self, config: pytest.Config) -> None:
        self._config, self.heard = config, list[Said]()

    def pytest_runtest_logstart(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        self.heard.append(("pytest_runtest_logstart", {"nodeid": nodeid, "location": location}))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        data = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        self.heard.append(("pytest_runtest_logreport", {"report": data}))

    def pytest_runtest_logfinish(self, nodeid: str, location: tuple[str, int | None, str]) -> None:
        self.heard.append(("pytest_runtest_logfinish", {"nodeid": nodeid, "location": location}))

    def pytest_warning_recorded(
        self, warning_message: warnings.WarningMessage, when: str, nodeid: str, location: Any
    ) -> None:
        said = {name: getattr(warning_message, name) for name in ("category", "filename", "lineno")}
        said["message"] = str(warning_message.message)
        arguments = {"warning_message": said, "when": when, "nodeid": nodeid, "location": location}
        self.heard.append(("pytest_warning_recorded", arguments))


def _work(name: str, session: pytest.Session, line: Connection, others: list[Connection]) -> None:
    """The life of a process that runs tests. It holds none of the lines of `others`, whose ends mean something."""
    for other in others:
        other.close()
    try:
        _run_groups(session, line, _become(name, session.config))
    except (BrokenPipeError, EOFError, KeyboardInterrupt):
        pass  # nobody listens any more
    except BaseException:
        line.send(traceback.format_exc())
    finally:
        leave()


def _become(name: str, config: pytest.Config) -> Hearing:
    """Make the process one of its own: with its name, its own files for what tests print, and nothing to say."""
    os.environ["TEST_PROCESS"] = name
    config.workerinput = {"workerid": name}  # type: ignore[attr-defined]  # as in a process of xdist, for pytest-django
    plugins = config.pluginmanager
    reporter = plugins.unregister(name="terminalreporter")
    plugins.register(SimpleNamespace(_tw=reporter._tw), "terminalreporter")  # pytest-timeout writes where a test hung
    capture = plugins.get_plugin("capturemanager")
    capture.stop_global_capturing()
    capture.start_global_capturing()
    capture.suspend_global_capture()
    hearing = Hearing(config)
    plugins.register(hearing)
    hearing.heard.clear()  # of warnings from before
    return hearing


def _run_groups(session: pytest.Session, line: Connection, hearing: Hearing) -> None:
    """After the last test of a group comes the session itself: what is the session's stays, all else is taken down."""
    try:
        for group in iter(lambda: _ask_for_group(session, line), []):
            for item, following in pairwise([*group, session]):
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
                line.send(hearing.heard)
                hearing.heard.clear()
                if session.shouldfail or session.shouldstop:
                    return
    finally:
        session._setupstate.teardown_exact(None)


def _ask_for_group(session: pytest.Session, line: Connection) -> list[pytest.Item]:
    line.send(None)
    return [session.items[place] for place in line.recv()]
