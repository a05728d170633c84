"""A process whose parent was killed ends too, instead of going on with nobody to stop it.

The system gives an orphan another parent, so looking at the parent's number twice a second is enough. It works on macOS
as on Linux, and needs nothing that a killed process would have to do.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Sequence

SUPERVISOR = "KNOWLEDGETREE_SUPERVISOR"
"""Environment variable: the number of the process that started this one and ends it, where there is such a process."""

INTERVAL = 0.5
_GRACE = 10.0  # seconds for what a server still has to do


def orphaned() -> bool:
    """Whether a supervisor started this process and is gone."""
    supervisor = os.environ.get(SUPERVISOR, "")
    return bool(supervisor) and os.getppid() != int(supervisor)


def end_with_supervisor() -> None:
    """From now on a thread ends this process once it is orphaned: as by `kill`, and after a while as by `kill -9`."""
    if os.environ.get(SUPERVISOR):
        _watch(orphaned, (signal.SIGTERM, signal.SIGKILL))


def end_forks_with_their_parents() -> None:
    """From now on each fork of this process, and each of theirs, is ended once its own parent is gone."""
    parent = 0

    def note() -> None:  # before the fork: afterwards the parent may be gone already
        nonlocal parent
        parent = os.getpid()

    def watch() -> None:
        noted = parent
        _watch(lambda: os.getppid() != noted, (signal.SIGKILL,))

    os.register_at_fork(before=note, after_in_child=watch)


def _watch(gone: Callable[[], bool], signals: Sequence[signal.Signals]) -> None:
    def look() -> None:
        while not gone():
            time.sleep(INTERVAL)
        for number in signals:
            os.kill(os.getpid(), number)
            time.sleep(_GRACE)

    threading.Thread(target=look, name="lifeline", daemon=True).start()
