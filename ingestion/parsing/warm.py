"""A reading process that stays for the next question."""

import threading

from django.utils.translation import gettext as _

from ingestion.errors import ParserCrashed, ParserOutOfMemory, PicturesBusy
from ingestion.parsing.limits import ParsingLimits
from ingestion.parsing.messages import Answered, Asked
from ingestion.parsing.process import ReadingProcess


class WarmProcess:
    """Asked by one thread at a time; the others wait `patience` seconds. The process ends after a minute unasked.

    Starting one costs 0.5–1 s, which is too long for every page that somebody turns.
    """

    def __init__(self, limits: ParsingLimits, *, patience: float) -> None:
        self._limits, self._patience = limits, patience
        self._lock = threading.Lock()
        self._process: ReadingProcess | None = None

    def ask(self, request: Asked, content: bytes) -> Answered:
        """Raises ParserCrashed, ParserOutOfMemory, ParserTooSlow, PicturesBusy."""
        if not self._lock.acquire(timeout=self._patience):
            raise PicturesBusy(_("Many pages are being painted at this moment."))
        try:
            process = self._waiting()
            fresh = process.fresh
            try:
                return self._answer(process, request, content)
            except (ParserCrashed, ParserOutOfMemory):
                if fresh:
                    raise
            return self._answer(self._waiting(), request, content)  # earlier files may have been to blame
        finally:
            self._lock.release()

    def _waiting(self) -> ReadingProcess:
        if self._process is not None and not self._process.serves(self._limits):
            self._process.end()
            self._process = None
        return self._process or ReadingProcess(self._limits)

    def _answer(self, process: ReadingProcess, request: Asked, content: bytes) -> Answered:
        """A process that did not answer to the end is not used again, whatever interrupted it."""
        self._process = None
        try:
            reply = process.ask(request, content)
        except BaseException:
            process.end()
            raise
        self._process = process
        return reply
