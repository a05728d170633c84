"""The reading process that stays for the next question."""

import threading
from typing import IO, TypeVar

from django.utils.translation import gettext as _

from ingestion.errors import ExtractionError, ParserCrashed, ParserOutOfMemory, PicturesBusy
from ingestion.reading.sandbox.limits import ParsingLimits
from ingestion.reading.sandbox.messages import Answered, Asked, Refused
from ingestion.reading.sandbox.process import ReadingProcess
from ingestion.types import Progress, no_progress

_KINDS = {kind.code: kind for kind in ExtractionError.__subclasses__()}
_FOR_EVER = -1.0

_Answer = TypeVar("_Answer", bound=Answered)


class WarmProcess:
    """Asked by one thread at a time; the others wait. The process ends after a minute unasked.

    Starting one costs 0.5–1 s, which is too long for every page that somebody turns.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: ReadingProcess | None = None  # none while one is at work

    def ask(
        self,
        request: Asked,
        content: bytes | IO[bytes],
        answer: type[_Answer],
        *,
        limits: ParsingLimits,
        patience: float = _FOR_EVER,
        progress: Progress = no_progress,
    ) -> _Answer:
        """The answer to `request` about the file. Raises the ExtractionError that the child met; ParserCrashed,
        ParserOutOfMemory, ParserTooSlow; PicturesBusy where others were served for `patience` seconds.
        """
        if not self._lock.acquire(timeout=patience):
            raise PicturesBusy(_("Many pages are being painted at this moment."))
        try:
            reply = self._reply(request, content, limits, progress)
        finally:
            self._lock.release()
        if isinstance(reply, Refused):
            kind = _KINDS.get(reply.code, ExtractionError)
            raise kind(reply.message, remedy=reply.remedy, detail=reply.detail)
        if not isinstance(reply, answer):
            raise ParserCrashed(_("The program that reads such files failed on this one."))
        return reply

    def _reply(self, request: Asked, content: bytes | IO[bytes], limits: ParsingLimits, progress: Progress) -> Answered:
        """A process that did not answer to the end is not used again, whatever interrupted it."""
        process = self._taken(limits)
        fresh = process.fresh
        try:
            reply = process.ask(request, content, progress)
        except BaseException as error:
            process.end()
            if fresh or not isinstance(error, ParserCrashed | ParserOutOfMemory):
                raise
            return self._reply(request, content, limits, progress)  # earlier files may have been to blame
        self._process = process
        return reply

    def _taken(self, limits: ParsingLimits) -> ReadingProcess:
        process, self._process = self._process, None
        if process is not None and not process.serves(limits):
            process.end()
            process = None
        return process or ReadingProcess(limits)

    def end(self) -> None:
        """End the process that waits; the next question gets a new one."""
        with self._lock:
            process, self._process = self._process, None
            if process is not None:
                process.end()


kept = WarmProcess()
"""The one of this process: a worker has files read by it, a web server has pages painted."""
