"""A site that is ready, served: what `quickstart` becomes when there is nothing left to prepare.

It starts the worker and the web server and waits for their ends, for weeks, so it is a small program: another one in
the process of the command, which keeps its number, its terminal and the lock of the folder. Run as `python -m
knowledgetree.supervision.serving DESCRIPTOR`, where a ServingPlan is read from.
"""

import json
import os
import signal
import socket
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NoReturn

from knowledgetree.supervision.catalogue import speak
from knowledgetree.supervision.catalogue import translated as _
from knowledgetree.supervision.site_lock import SiteLock
from knowledgetree.supervision.supervisor import Supervisor

_START_SECONDS = 120  # a busy machine takes long to load what the server needs; one that fails says so at once
_ENDING = signal.SIGINT, signal.SIGTERM


@dataclass(frozen=True, slots=True, kw_only=True)
class ServingPlan:
    """`programs` by their names for people; `welcome`: what is said once one of them listens on `port`. `lock`: the
    descriptor of the site's lock, `database` the folder of the embedded server, where there is one.
    """

    language: str
    folder: str
    programs: Mapping[str, Sequence[str]]
    host: str
    port: int
    address: str
    lock: int
    database: str
    welcome: Sequence[str]


def become_supervisor(plan: ServingPlan) -> NoReturn:
    """Goes on as the small program. The plan goes through a pipe, for it names a password."""
    reading, writing = os.pipe()
    os.write(writing, json.dumps(asdict(plan)).encode())
    os.close(writing)
    for descriptor in (reading, plan.lock):
        os.set_inheritable(descriptor, True)
    sys.stdout.flush()
    sys.stderr.flush()
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)  # until there is somebody again to heed them
    os.chdir(plan.folder)
    os.execv(sys.executable, [sys.executable, "-m", __name__, str(reading)])  # noqa: S606 (our own words)


def serve(plan: ServingPlan) -> int:
    """Until a signal ends it; its exit status."""
    supervisor = Supervisor(plan.programs, folder=Path(plan.folder), say=_say, held=plan.lock)
    try:
        if reason := _reason_not_to_open(plan, supervisor):
            sys.stderr.write(f"{reason}\n")
            return 1
        SiteLock(plan.lock).write_address(plan.address)
        for line in plan.welcome:
            _say(line)
        while True:
            time.sleep(0.5)
            supervisor.revive()
    except KeyboardInterrupt:
        _say("\n" + _("Stopping…"))
    finally:
        for number in _ENDING:  # an impatient second Ctrl+C would leave something running
            signal.signal(number, signal.SIG_IGN)
        supervisor.stop()
        _stop_database(plan.database)
    _say(_("Stopped."))
    return 0


def _reason_not_to_open(plan: ServingPlan, supervisor: Supervisor) -> str:
    """ "" once it is open."""
    for _look in range(_START_SECONDS * 10):
        if not supervisor.all_run():
            return _("The server did not start; the reason stands above.")
        with socket.socket() as probe:
            if probe.connect_ex((plan.host, plan.port)) == 0:
                return ""
        time.sleep(0.1)
    return _("The server has not answered for %(n)d seconds.") % {"n": _START_SECONDS}


def _stop_database(folder: str) -> None:
    """Unless another command uses it. It may have run before: a `quickstart` that was killed leaves it behind."""
    if folder:
        from knowledgetree.database import embedded_runs, stop_embedded  # at the end: it is large

        if embedded_runs(Path(folder)):
            stop_embedded(Path(folder))


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(descriptor: int) -> int:
    with open(descriptor, encoding="utf-8") as told:
        plan = ServingPlan(**json.load(told))
    speak(plan.language)
    for number in _ENDING:
        signal.signal(number, signal.default_int_handler)
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
        return serve(plan)
    except KeyboardInterrupt:  # before anything had begun
        _stop_database(plan.database)
        return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
