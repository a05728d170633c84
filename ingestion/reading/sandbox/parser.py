"""Reading a file in another process, which stays warm for the next one."""

from typing import IO

from django.conf import settings
from django.utils.translation import get_language

from ingestion.reading.sandbox import warm
from ingestion.reading.sandbox.limits import ParsingLimits
from ingestion.reading.sandbox.messages import Read, Request
from ingestion.types import ExtractedText, Progress, no_progress


def parse(
    content: bytes | IO[bytes],
    *,
    name: str,
    limits: ParsingLimits,
    max_bytes: int,
    max_characters: int,
    second: str = "",
    progress: Progress = no_progress,
) -> tuple[str, ExtractedText]:
    """What `ingestion.reading.registry.extract` gives and raises, and ParserCrashed, ParserOutOfMemory or
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
    read = warm.kept.ask(request, content, Read, limits=limits, progress=progress)
    return read.media_type, read.extracted
