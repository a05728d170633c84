"""The queue's guard: a process that died gets a successor; where that would not help, all of them start anew."""

import logging
import os
import signal
from multiprocessing.process import BaseProcess

import django_q.cluster
from django_q.cluster import Cluster, Sentinel

log = logging.getLogger("knowledgetree.jobs")

_IDLE = -1  # of `timer`, as django-q's workers set it


class Guard(Sentinel):  # type: ignore[misc]
    """A process that waits for a task holds the lock of the pipe that tasks come through. Killed, it takes the lock
    along: its successor and the others would wait for ever, and no document would be read again.
    """

    def reincarnate(self, process: BaseProcess) -> None:
        """Put a successor in its place; or end, the others with us, and who supervises the command starts it again."""
        if _was_killed(process) and _waited(process):
            log.critical("a waiting process of the queue was killed; the queue starts anew")
            os.kill(os.getpid(), signal.SIGKILL)
        super().reincarnate(process)


def make_guarded_cluster() -> Cluster:
    django_q.cluster.Sentinel = Guard  # Cluster looks it up by this name
    return Cluster()


def _was_killed(process: BaseProcess) -> bool:
    return process.exitcode is not None and process.exitcode < 0


def _waited(process: BaseProcess) -> bool:
    """For a task. Those that carry tasks and results, which have no timer, do nothing else."""
    timer = getattr(process, "timer", None)
    return timer is None or timer.value == _IDLE
