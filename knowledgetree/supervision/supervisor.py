"""Programs that belong together: started together, started again where one dies, stopped together."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from knowledgetree.supervision.catalogue import translated as _
from knowledgetree.supervision.lifeline import SUPERVISOR

LONGEST_PAUSE = 60.0
"""Seconds before another try. A program that has run for so long is well, and its next death is its first."""

_STOP_SECONDS = 10.0


@dataclass(slots=True, kw_only=True)
class _Program:
    """`due`: when to start it again, where it has died."""

    command: Sequence[str]
    running: "subprocess.Popen[bytes]"
    begun: float
    deaths: int = 0
    due: float | None = None


class Supervisor:
    """`commands` by their names for people; `say` tells people what happens. `held`: a file descriptor that stays open
    in every program, and in what they fork.
    """

    def __init__(
        self, commands: Mapping[str, Sequence[str]], *, folder: Path, say: Callable[[str], None], held: int
    ) -> None:
        self._folder, self._say, self._held = folder, say, held
        self._programs = {
            name: _Program(command=command, running=self._start(command), begun=time.monotonic())
            for name, command in commands.items()
        }

    def all_run(self) -> bool:
        return all(program.running.poll() is None for program in self._programs.values())

    def revive(self) -> None:
        """Look at every program once: one that died is started again, after a pause that grows with its deaths."""
        now = time.monotonic()
        for name, program in self._programs.items():
            if program.due is None and program.running.poll() is not None:
                self._note_death(name, program, now)
            elif program.due is not None and now >= program.due:
                program.running, program.begun, program.due = self._start(program.command), now, None

    def stop(self) -> None:
        """All of them: asked first, then forced."""
        programs = [program.running for program in self._programs.values()]
        for running in programs:
            if running.poll() is None:
                running.send_signal(signal.SIGTERM)
        for running in programs:
            try:
                running.wait(timeout=_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                running.kill()
                running.wait()

    def _note_death(self, name: str, program: _Program, now: float) -> None:
        program.deaths = 1 if now - program.begun >= LONGEST_PAUSE else program.deaths + 1
        seconds = pause(program.deaths)
        program.due = now + seconds
        how = {"name": name, "how": _ending(program.running.returncode), "seconds": seconds}
        self._say(_("%(name)s: %(how)s. Starting it again in %(seconds).0f s.") % how)

    def _start(self, command: Sequence[str]) -> "subprocess.Popen[bytes]":
        environment = {**os.environ, SUPERVISOR: str(os.getpid())}
        return subprocess.Popen(command, cwd=self._folder, env=environment, pass_fds=[self._held])


def pause(deaths: int) -> float:
    """Seconds to wait after so many deaths in a row: 1, 2, 4, 8 … LONGEST_PAUSE."""
    return min(LONGEST_PAUSE, 2.0 ** min(deaths - 1, 10))


def _ending(status: int) -> str:
    if status < 0:
        return _("the process was ended by the signal %(name)s") % {"name": signal.Signals(-status).name}
    return _("the process ended by itself (code %(status)d), the reason stands above") % {"status": status}
