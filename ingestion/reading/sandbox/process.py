"""A reading process as the worker sees it: started with little, asked, watched, ended."""

import io
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Pipe
from pathlib import Path
from typing import IO

from django.utils.translation import gettext as _
from pydantic import ValidationError

import ingestion
from ingestion.errors import ParserCrashed, ParserOutOfMemory, ParserTooSlow
from ingestion.reading.sandbox.limits import ParsingLimits
from ingestion.reading.sandbox.messages import REPLY, REQUEST, Answered, Asked, Broken, Exhausted, Progressed
from ingestion.types import Progress, no_progress

log = logging.getLogger("knowledgetree.parsing")

_PASSED = ("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "TESSDATA_PREFIX")
"""Of the environment, which has the passwords of the database and of services."""

_ONE_THREAD = {"OMP_THREAD_LIMIT": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
_PIECE_BYTES = 2**20
_KEPT_SECONDS = 50.0  # less than the child's IDLE_SECONDS, so that nobody asks one that is just ending
_DYING_SECONDS = 10.0  # on a busy machine a process is gone long after its end of the connection


class ReadingProcess:
    """One child, used by one thread at a time. `fresh`: it has read no file yet."""

    def __init__(self, limits: ParsingLimits) -> None:
        self.limits = limits
        self.fresh = True
        self._owner = os.getpid()
        self._used = time.monotonic()
        self._folder = tempfile.mkdtemp(prefix="knowledgetree-")
        self._connection, theirs = Pipe()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "ingestion.reading.sandbox.child", str(theirs.fileno()), str(limits.memory_mb)],
                cwd=self._folder,
                env=_environment(self._folder),
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,  # so that programs it starts end with it
            )

    def serves(self, limits: ParsingLimits) -> bool:
        """Whether it still waits for files of this worker under these limits."""
        waits = time.monotonic() - self._used < _KEPT_SECONDS and self._process.poll() is None
        return waits and self.limits == limits and self._owner == os.getpid()

    def ask(self, request: Asked, content: bytes | IO[bytes], progress: Progress = no_progress) -> Answered:
        """Its answer to a file, which is read from its beginning. Raises ParserCrashed, ParserOutOfMemory,
        ParserTooSlow; then it must be ended.
        """
        self.fresh = False
        end = time.monotonic() + self.limits.total_seconds
        try:
            self._connection.send_bytes(REQUEST.dump_json(request))
            for piece in _pieces(content):
                self._connection.send_bytes(piece)
            self._connection.send_bytes(b"")  # that was all
            while isinstance(reply := self._reply(end, request.most_bytes), Progressed):
                progress(reply.done, reply.total)
        except (EOFError, OSError, ValidationError) as error:
            raise self._ended() from error
        self._used = time.monotonic()
        return reply

    def end(self) -> None:
        """Kill it and whatever it has started; nothing of the file stays on the disk."""
        if self._owner == os.getpid():  # in a fork it is somebody else's
            if self._process.returncode is None:  # later its number may be another's
                self._kill()
            self._process.wait()
            shutil.rmtree(self._folder, ignore_errors=True)
        self._connection.close()

    def _kill(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _reply(self, end: float, most: int) -> Progressed | Answered:
        if not self._connection.poll(max(0.0, min(self.limits.seconds, end - time.monotonic()))):
            raise self._too_slow()
        reply = REPLY.validate_json(self._connection.recv_bytes(most))
        if isinstance(reply, Exhausted):
            raise self._out_of_memory()
        if isinstance(reply, Broken):
            log.error("a parser failed", extra={"fields": {"error": reply.error}})
            raise ParserCrashed(_("The program that reads such files failed on this one."))
        return reply

    def _ended(self) -> ParserCrashed | ParserOutOfMemory | ParserTooSlow:
        """Why it ended while it was asked."""
        try:
            code = self._process.wait(timeout=_DYING_SECONDS)
        except subprocess.TimeoutExpired:
            code = 0  # it lives and talks nonsense
        self._kill()
        log.warning("a reading process ended", extra={"fields": {"exit_status": code}})
        if code == -signal.SIGXCPU:
            return self._too_slow()
        if code == -signal.SIGKILL:  # not by us: by the system, which had no memory left
            return self._out_of_memory()
        return ParserCrashed(_("The program that reads such files failed on this one."))

    def _too_slow(self) -> ParserTooSlow:
        message = _("Reading the file takes longer than allowed (%(seconds)d s for a part, %(total)d s for all of it).")
        return ParserTooSlow(message % {"seconds": self.limits.seconds, "total": self.limits.total_seconds})

    def _out_of_memory(self) -> ParserOutOfMemory:
        message = _("Reading the file takes more memory than allowed (%(limit)d MB).")
        return ParserOutOfMemory(message % {"limit": self.limits.memory_mb})


def _pieces(content: bytes | IO[bytes]) -> Iterator[bytes]:
    file = io.BytesIO(content) if isinstance(content, bytes) else content
    file.seek(0)
    while piece := file.read(_PIECE_BYTES):
        yield piece


def _environment(folder: str) -> dict[str, str]:
    passed = {name: os.environ[name] for name in _PASSED if name in os.environ}
    root = str(Path(ingestion.__file__).parents[1])
    return passed | _ONE_THREAD | {"PYTHONPATH": root, "TMPDIR": folder}
