"""The reading process: takes files one after the other, answers with their texts, and knows nothing else.

It has no database, no settings and no secrets. Run as `python -m ingestion.reading.sandbox.child DESCRIPTOR MEMORY_MB`.
"""

import contextlib
import faulthandler
import sys
import traceback
from multiprocessing.connection import Connection
from pathlib import Path
from typing import TypeAlias

import django
from django.conf import settings
from django.utils import translation

import knowledgetree
from ingestion.errors import ExtractionError
from ingestion.reading.sandbox.limits import allow_processor_seconds, confine, resident_mb
from ingestion.reading.sandbox.messages import (
    REPLY,
    REQUEST,
    Answered,
    Asked,
    Broken,
    Exhausted,
    Marked,
    Painted,
    PictureRequest,
    PlacesRequest,
    Progressed,
    Read,
    Refused,
    Reply,
    Request,
    Unpacked,
    UnpackedFile,
    UnpackRequest,
)

Channel: TypeAlias = "Connection[bytes, bytes]"

IDLE_SECONDS = 60.0
"""After so long without a file it ends, and the next file gets a new process."""

_GROWN_MB = 256  # a process that stays so large after a file is not kept for the next one


def main(descriptor: int, memory_mb: int) -> None:
    connection: Channel = Connection(descriptor)
    faulthandler.enable()
    confine(memory_mb)
    _configure()
    with contextlib.suppress(EOFError, OSError):  # the worker is gone
        while connection.poll(IDLE_SECONDS):
            request = REQUEST.validate_json(connection.recv_bytes())
            reply = _reply(connection, request, b"".join(iter(connection.recv_bytes, b"")))
            _send(connection, reply)
            if isinstance(reply, Exhausted | Broken) or resident_mb() > _GROWN_MB:
                return


def _configure() -> None:
    """As much of Django as the words of messages need."""
    locale = Path(knowledgetree.__file__).parent / "locale"
    settings.configure(LANGUAGE_CODE="pl", LOCALE_PATHS=[locale], USE_I18N=True, USE_TZ=True, INSTALLED_APPS=[])
    django.setup()


def _reply(connection: Channel, request: Asked, content: bytes) -> Answered | Exhausted | Broken:
    allow_processor_seconds(request.seconds)
    try:
        with translation.override(request.language):
            if isinstance(request, UnpackRequest):
                return _unpacked(request, content)
            return _extracted(connection, request, content) if isinstance(request, Request) else _seen(request, content)
    except ExtractionError as error:
        return Refused(code=error.code, message=error.message, remedy=str(error.remedy), detail=error.detail)
    except MemoryError:
        return Exhausted()
    except Exception:
        return Broken(error=traceback.format_exc(limit=-20))


def _extracted(connection: Channel, request: Request, content: bytes) -> Read:
    from ingestion.reading.registry import extract

    media_type, extracted = extract(
        content,
        name=request.name,
        max_bytes=request.max_bytes,
        max_characters=request.max_characters,
        second=request.second,
        progress=lambda done, total: _send(connection, Progressed(done=done, total=total)),
    )
    return Read(media_type=media_type, extracted=extracted)


def _seen(request: PictureRequest | PlacesRequest, content: bytes) -> Painted | Marked:
    from ingestion.reading.formats.pdf.page_pictures import marked_page, painted_page

    if isinstance(request, PictureRequest):
        return Painted(picture=painted_page(content, page=request.page, width=request.width))
    return Marked(page=marked_page(content, page=request.page, text=request.text, start=request.start, end=request.end))


def _unpacked(request: UnpackRequest, content: bytes) -> Unpacked:
    from ingestion.reading.archives.unpacking import unpack

    batch = unpack(content, start=request.start, batch_bytes=request.batch_bytes, max_bytes=request.max_bytes)
    files = [UnpackedFile(path=one.path, content=one.content, trouble=one.trouble) for one in batch.files]
    return Unpacked(files=files, following=batch.following)


def _send(connection: Channel, reply: Reply) -> None:
    connection.send_bytes(REPLY.dump_json(reply))


if __name__ == "__main__":
    try:
        main(int(sys.argv[1]), int(sys.argv[2]))
    finally:
        with contextlib.suppress(OSError):
            Path.cwd().rmdir()  # it was made for this process alone
