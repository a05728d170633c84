"""What reading a file may take, and how the reading process binds itself to it."""

import ctypes
import resource
import sys
from dataclasses import dataclass
from pathlib import Path

_OPEN_FILES = 256
_WRITTEN_BYTES = 2**30  # of a temporary file, such as a page's picture on its way to text recognition
_PR_SET_NO_NEW_PRIVS = 38


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsingLimits:
    """`seconds`: without a sign of progress, such as a page read; `total_seconds`: for the whole file.

    `memory_mb`: of data (heap and private mappings) that the reading process may hold, each of its children too.
    """

    seconds: float = 120.0
    total_seconds: float = 1200.0
    memory_mb: int = 1024


def confine(memory_mb: int) -> None:
    """Bind this process for good, and what it starts.

    Not the address space is bound but the data: fonts, dictionaries and libraries that are only mapped cost nothing.
    macOS takes the limit of memory and does not keep it; there only the time is bound.
    """
    memory = memory_mb * 2**20
    for what, most in (
        (resource.RLIMIT_DATA, memory),
        (resource.RLIMIT_CORE, 0),  # no text of a document in a crash dump
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
        (resource.RLIMIT_FSIZE, _WRITTEN_BYTES),
    ):
        _, allowed = resource.getrlimit(what)
        most = most if allowed == resource.RLIM_INFINITY else min(most, allowed)
        resource.setrlimit(what, (most, most))
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)  # no program it starts gains rights by its owner


def allow_processor_seconds(seconds: float) -> None:
    """From now on. The parent looks at the clock; this ends a process whose parent was killed."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def resident_mb() -> float:
    """The memory that this process has now; where only the most it ever had can be known, that."""
    if sys.platform == "linux":  # its ru_maxrss is that of the worker, from before exec, where that was larger
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20  # bytes on macOS
