"""A Redis server of the tests' own, which keeps nothing on the disk and can be killed and started again."""

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.installation import free_port, is_open, wait_until


class RunningRedis:
    """Listens on 127.0.0.1; `url` stays the same over its deaths."""

    def __init__(self, program: str) -> None:
        self._program, self._port = program, free_port()
        self.url = f"redis://127.0.0.1:{self._port}/0"
        self.start()

    def start(self) -> None:
        command = [self._program, "--port", str(self._port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=os.environ.get("TMPDIR", "/tmp"))
        wait_until(lambda: is_open(self._port) or self._process.poll() is not None)
        assert self._process.poll() is None

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """It takes connections and says nothing."""
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


@contextmanager
def running_redis() -> Iterator[RunningRedis]:
    """Skips the test where there is no Redis on this machine, or no client for it."""
    pytest.importorskip("redis", reason="the extra `redis` is not installed")
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("there is no redis-server on this machine")
    server = RunningRedis(program)
    try:
        yield server
    finally:
        server.kill()
