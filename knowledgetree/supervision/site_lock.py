"""One site at a time in a folder of data: a lock that the system takes back when the last process of a site is gone."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_NAME = "quickstart.lock"


class SiteRuns(Exception):
    """Another `quickstart` serves this folder: process `number`, at `address` where it says so already."""

    def __init__(self, number: int, address: str) -> None:
        super().__init__(f"{number} {address}".strip())
        self.number, self.address = number, address


class SiteLock:
    """`descriptor` is to be inherited by the site's processes: each of them holds the lock as long as it lives."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def write_address(self, address: str) -> None:
        """For whoever comes second."""
        os.ftruncate(self.descriptor, 0)
        os.pwrite(self.descriptor, f"{os.getpid()}\n{address}\n".encode(), 0)


@contextmanager
def only_site(folder: Path, *, patience: float = 30.0) -> Iterator[SiteLock]:
    """Raises SiteRuns where the folder's site runs; processes that a killed one left get `patience` seconds to end."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder / _NAME, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        _take(descriptor, time.monotonic() + patience)
        lock = SiteLock(descriptor)
        lock.write_address("")
        yield lock
    finally:
        os.close(descriptor)


def _take(descriptor: int, end: float) -> None:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            import psutil  # who serves a site for weeks has no use for it

            number, address = _holder(descriptor)
            if (number and psutil.pid_exists(number)) or time.monotonic() > end:
                raise SiteRuns(number, address) from None
            time.sleep(0.1)
        else:
            return


def _holder(descriptor: int) -> tuple[int, str]:
    number, _, address = os.pread(descriptor, 1000, 0).decode(errors="replace").strip().partition("\n")
    return int(number) if number.isdigit() else 0, address
