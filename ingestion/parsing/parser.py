"""Reading a file in another process, which stays warm for the next one."""

import threading

from django.conf import settings
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from ingestion.errors import ExtractionError, ParserCrashed, ParserOutOfMemory
from ingestion.parsing.limits import ParsingLimits
from ingestion.parsing.messages import Read, Refused, Request
from ingestion.parsing.process import ReadingProcess
from ingestion.types import ExtractedText, Progress, no_progress

_lock = threading.Lock()
_warm: ReadingProcess | None = None


def parse(
    content: bytes,
    *,
    name: str,
    limits: ParsingLimits,
    max_bytes: int,
    max_characters: int,
    second: str = "",
    progress: Progress = no_progress,
) -> tuple[str, ExtractedText]:
    """What `ingestion.extraction.registry.extract` gives and raises, and ParserCrashed, ParserOutOfMemory or
    ParserTooSlow where the file was too much. One file at a time is read for a process.
    """
    request = Request(
        name=name,
        language=get_language() or settings.LANGUAGE_CODE,
        max_bytes=max_bytes,
        max_characters=max_characters,
        seconds=limits.total_seconds,
        second=second,
    )
    with _lock:
        process = _process(limits)
        fresh = process.fresh
        try:
            return _answer(process, request, content, progress)
        except (ParserCrashed, ParserOutOfMemory):
            if fresh:
                raise
        return _answer(_process(limits), request, content, progress)  # earlier files may have been to blame


def _process(limits: ParsingLimits) -> ReadingProcess:
    global _warm
    if _warm is not None and not _warm.serves(limits):
        _warm.end()
        _warm = None
    if _warm is None:
        _warm = ReadingProcess(limits)
    return _warm


def _answer(process: ReadingProcess, request: Request, content: bytes, progress: Progress) -> tuple[str, ExtractedText]:
    """A process that did not answer to the end is not used again, whatever interrupted it."""
    global _warm
    _warm = None
    try:
        reply = process.ask(request, content, progress)
    except BaseException:
        process.end()
        raise
    _warm = process
    if isinstance(reply, Refused):
        raise refusal(reply)
    if not isinstance(reply, Read):
        raise ParserCrashed(_("The program that reads such files failed on this one."))
    return reply.media_type, reply.extracted


def refusal(refused: Refused) -> ExtractionError:
    """The error that the child met, with its class."""
    kind = _KINDS.get(refused.code, ExtractionError)
    return kind(refused.message, remedy=refused.remedy)


_KINDS = {kind.code: kind for kind in ExtractionError.__subclasses__()}
